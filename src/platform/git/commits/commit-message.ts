import { Failure, isOneLine, TRAILER_FAMILIES } from "../../../domain/index.ts";
import type { Trailer } from "../../ports/index.ts";
import { readTrailers, trailerBlock } from "../trailers/trailer-block.ts";

/**
 * A message that ends in the given trailers, and in no others of their families.
 *
 * The text comes from plans and agents. A line of it that looks like one of our trailers is dropped where it would be
 * read as one, since ours replace it, and quoted everywhere else: behind `* ` or four blanks it could pass for the
 * message of a commit that was squashed into this one.
 */
export function composeMessage(message: string, trailers: readonly Trailer[]): string {
  const { text, block } = splitMessage(clean(message));
  const ours = trailers.map(({ key, value }) => `${key}: ${checkedValue(value)}`);
  const title = quoteOurs(text);
  const others = withoutOurs(block);
  const candidates = [
    ...(others.length > 0 ? [[title, [...others, ...ours].join("\n")]] : []),
    [title, quoteOurs(others.join("\n")), ours.join("\n")],
  ];
  for (const paragraphs of candidates) {
    const composed = `${paragraphs.filter((paragraph) => paragraph !== "").join("\n\n")}\n`;
    if (saysExactly(composed, trailers)) return composed;
  }
  throw new Failure("internal/bug", "No message could be made that says what it should.", {
    trailers: ours,
  });
}

const FAMILIES = new RegExp(
  `^[ \\t]*(?:\\*[ \\t]+)?(?:${TRAILER_FAMILIES.join("|")})-(?:Plan|Step|Session|Claim|Content|Signature|Proof)[ \\t]*:`,
  "i",
);
/** Git's own parser reads nothing behind it. */
const SCISSORS = /^#? ?-{8,} >8 -{8,}/;

/** Far below what readers of histories still take whole. */
const MAX_MESSAGE = 200_000;

/** One kind of line break, no characters that act on a terminal, no blanks at the ends of lines or of the message. */
function clean(message: string): string {
  if (message.length > MAX_MESSAGE)
    throw new Failure(
      "usage/wrong",
      `The message has ${message.length} characters; at most ${MAX_MESSAGE} are taken.`,
      {},
    );
  const lines = message
    .replace(/\r\n?|[\u0085\u2028\u2029\v\f]/g, "\n")
    .replace(/(?!\n|\t)\p{Cc}|[\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu, "")
    .split("\n")
    .map((line) => (SCISSORS.test(line) ? `> ${line}` : line.trimEnd()));
  return lines
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

function splitMessage(message: string): { readonly text: string; readonly block: readonly string[] } {
  const { before, block } = trailerBlock(message);
  return { text: before.join("\n").trim(), block };
}

const quoteOurs = (text: string): string =>
  text
    .split("\n")
    .map((line) => (FAMILIES.test(line) ? `> ${line.trimStart()}` : line))
    .join("\n");

/** Without our trailers and the lines that continue them. */
function withoutOurs(block: readonly string[]): readonly string[] {
  const kept: string[] = [];
  let dropping = false;
  for (const line of block) {
    if (!/^[ \t]/.test(line)) dropping = FAMILIES.test(line);
    if (!dropping) kept.push(line);
  }
  return kept;
}

function saysExactly(message: string, trailers: readonly Trailer[]): boolean {
  const said = readTrailers(message)
    .filter(({ key }) => FAMILIES.test(`${key}:`))
    .map(({ key, value }) => `${key}: ${value}`);
  return said.join("\n") === trailers.map(({ key, value }) => `${key}: ${value}`).join("\n");
}

/** A value is one line, or it would be two trailers. */
function checkedValue(value: string): string {
  if (isOneLine(value)) return value;
  throw new Failure(
    "usage/wrong",
    "A name with line breaks, control characters or blanks at its ends cannot be written into a commit.",
    { value },
    { hint: "Rename the plan or the step." },
  );
}
