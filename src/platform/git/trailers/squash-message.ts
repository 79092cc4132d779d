import { isStepTrailer } from "../../../domain/index.ts";
import { readTrailers } from "./trailer-block.ts";
import type { Trailer } from "../../ports/index.ts";

/** A commit that was folded into another one, as far as the other's message tells of it. */
export interface SquashedCommit {
  /** Its name, where the message gives it; the object may be gone. */
  readonly commit: string | undefined;
  readonly message: string;
}

/**
 * The commits a squash was made of, newest first.
 *
 * A squash merge has no trailers of its own as git reads them: those of its parts stand in the middle of the message,
 * and taking only the last paragraph would forget every finished step but one.
 */
export function readSquashed(message: string): readonly SquashedCommit[] {
  const lines = message.split("\n").map((line) => line.replace(/\r$/, ""));
  const start = lines.indexOf("Squashed commit of the following:");
  const proofs = readProofs(message);
  if (start !== -1) return [...proofs, ...readBlocks(lines.slice(start + 1))];
  return proofs.length > 0 ? proofs : readConcatenated(lines);
}

const INDENT = "    ";
const BLOCK = /^commit ([0-9a-f]{40}|[0-9a-f]{64})(?: |$)/;

/** What `git merge --squash` writes: the log, newest first, each message indented. Ends at the first line that is neither. */
function readBlocks(lines: readonly string[]): readonly SquashedCommit[] {
  const blocks: { commit: string; message: string[] }[] = [];
  let inHeader = false;
  for (const line of lines) {
    const commit = BLOCK.exec(line)?.[1];
    const block = blocks.at(-1);
    if (commit !== undefined) {
      blocks.push({ commit, message: [] });
      inHeader = true;
    } else if (line.trim() === "") {
      inHeader = false;
      block?.message.push("");
    } else if (block === undefined || (!inHeader && !line.startsWith(INDENT))) {
      break;
    } else if (!inHeader) {
      block.message.push(line.slice(INDENT.length));
    }
  }
  return blocks.map(({ commit, message }) => ({ commit, message: message.join("\n") }));
}

/**
 * What hosting services write: the messages one after the other, oldest first, each title behind a `*`; then a rule and
 * the people who took part. Of a single commit they keep the message and only add the people.
 */
function readConcatenated(lines: readonly string[]): readonly SquashedCommit[] {
  const paragraphs = splitParagraphs(lines);
  const body = withoutPeople(paragraphs);
  const sections: string[][] = [];
  for (const paragraph of body) {
    if (paragraph.startsWith("* ")) sections.push([paragraph.slice(2)]);
    else sections.at(-1)?.push(paragraph);
  }
  if (sections.length === 0 && body.length < paragraphs.length) sections.push(body);
  return sections.map((section) => ({ commit: undefined, message: section.join("\n\n") })).reverse();
}

function splitParagraphs(lines: readonly string[]): string[] {
  const paragraphs: string[][] = [[]];
  for (const line of lines) {
    if (line.trim() === "") paragraphs.push([]);
    else paragraphs.at(-1)!.push(line);
  }
  return paragraphs.filter((paragraph) => paragraph.length > 0).map((paragraph) => paragraph.join("\n"));
}

function withoutPeople(paragraphs: readonly string[]): string[] {
  let end = paragraphs.length;
  if (isPeople(paragraphs[end - 1] ?? "")) end -= 1;
  if (/^-{3,}$/.test(paragraphs[end - 1] ?? "")) end -= 1;
  return paragraphs.slice(0, end);
}

/** The title in front makes the paragraph one that may hold trailers. */
function isPeople(paragraph: string): boolean {
  const trailers = readTrailers(`title\n\n${paragraph}`);
  return (
    trailers.length === paragraph.split("\n").length &&
    trailers.every(({ key }) => /^(?:co-authored|signed-off)-by$/i.test(key))
  );
}

/**
 * What one commit says about a step, on one line of the squash that it was folded into:
 * `Pawl-Proof: step-1 claim=2 content=… signature=… commit=…`.
 *
 * The whole messages would say the same in ten lines for each step, which is too long to read.
 */
const PARTS = ["Claim", "Content", "Signature"] as const;

/** The lines for one commit, one for each step that its trailers name. */
export function proofLines(
  steps: readonly string[],
  trailers: readonly Trailer[],
  commit: string,
): readonly string[] {
  const parts = PARTS.flatMap((name) => {
    const value = trailers.find(({ key }) => isKey(key, name))?.value;
    return value !== undefined && /^\w{1,64}$/.test(value) ? [`${name.toLowerCase()}=${value}`] : [];
  });
  return steps.map((step) => [`Pawl-Proof: ${step}`, ...parts, `commit=${commit}`].join(" "));
}

/** A commit that was folded into a squash, as its line tells: the trailers that it had, and its name. */
interface ProvenCommit {
  readonly commit: string;
  readonly message: string;
}

/**
 * Newest first, as squashes are read; the lines stand oldest first.
 *
 * They count in any paragraph, since hooks add paragraphs of their own. What they say is believed by its signature only.
 */
function readProofs(message: string): readonly ProvenCommit[] {
  const lines = message.split("\n").map((line) => line.replace(/\r$/, ""));
  const plans = lines.filter((line) => isKey(/^[\w-]+(?=: )/.exec(line)?.[0] ?? "", "Plan"));
  return lines
    .flatMap((line) => readProof(line))
    .map(({ commit, step, said }) => ({ commit, message: [step, "", ...plans, ...said].join("\n") }))
    .toReversed();
}

const PROOF = /^Pawl-Proof: (\S{1,200})((?: [a-z]+=\w+)*)$/;

function readProof(line: string) {
  const [, step, rest = ""] = PROOF.exec(line) ?? [];
  if (step === undefined) return [];
  const parts = new Map(rest.split(" ").map((part) => part.split("=") as [string, string | undefined]));
  const commit = parts.get("commit");
  if (commit === undefined || !/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(commit)) return [];
  const said = PARTS.flatMap((name) => {
    const part = parts.get(name.toLowerCase());
    return part === undefined ? [] : [`Pawl-${name}: ${part}`];
  });
  return [{ step, commit, said: [`Pawl-Step: ${step}`, ...said] }];
}

const isKey = (key: string, name: string): boolean =>
  isStepTrailer(key) && key.toLowerCase().endsWith(`-${name.toLowerCase()}`);
