import { fenced, headBytes, tailBytes } from "./quote.ts";

/** A piece of a part of a prompt. */
export interface Block {
  /** A line of Pawl's own above the text. */
  readonly label?: string | undefined;
  readonly text: string;
  /** Whether these are words of others, which stand in a fence. Otherwise each line was made safe by itself. */
  readonly quoted?: "markdown" | "text" | undefined;
}

/** A part of a prompt under its heading. */
export interface Section {
  readonly heading: string;
  readonly blocks: readonly Block[];
  /** The lowest is cut first. */
  readonly importance: number;
  /** Which end of it matters most. */
  readonly keep: "start" | "end";
  /** Where to read what was cut. */
  readonly elsewhere: string;
}

/** A prompt has at most so many bytes: what is longer crowds out the step itself. */
const MOST_PROMPT_BYTES = 24 * 1024;
/** Left for the sentence that says what was cut. */
const NOTE_BYTES = 600;
/** What is left of a text must be worth reading. */
const LEAST_BYTES = 160;

/** Puts a prompt together within its bounds; cuts the least important first, and says so. */
export function fit(parts: readonly (string | Section | undefined)[]): string {
  const present = parts.filter((part) => part !== undefined);
  const whole = joined(present);
  const over = Buffer.byteLength(whole) - MOST_PROMPT_BYTES;
  if (over <= 0) return whole;
  const { sections, cut } = cutSections(present, over + NOTE_BYTES);
  const note = `Pawl shortened this prompt to ${MOST_PROMPT_BYTES / 1024} KB and left out part of: ${cut.join("; ")}.`;
  const at = sections.findIndex((part) => typeof part !== "string");
  return joined([...sections.slice(0, at), note, ...sections.slice(at)]);
}

function cutSections(parts: readonly (string | Section)[], tooMuch: number) {
  const cut: string[] = [];
  let sections = [...parts];
  let over = tooMuch;
  const byImportance = parts
    .filter((part) => typeof part !== "string")
    .toSorted((a, b) => a.importance - b.importance);
  for (const section of byImportance) {
    if (over <= 0) break;
    const shorter = cutSection(section, over);
    over -= bytesOf(section) - bytesOf(shorter);
    sections = sections.map((part) => (part === section ? shorter : part));
    cut.push(`"${section.heading}" (${section.elsewhere})`);
  }
  return { sections, cut };
}

const bytesOf = (section: Section): number => Buffer.byteLength(written(section));

/** Shortens a section by about so many bytes, block by block from the end that matters less. */
function cutSection(section: Section, over: number): Section {
  const blocks = [...section.blocks];
  const order = [...blocks.keys()];
  if (section.keep === "start") order.reverse();
  let left = over;
  for (const index of order) {
    if (left <= 0) break;
    const block = blocks[index]!;
    const size = Buffer.byteLength(block.text);
    const kept = size - left - 40;
    const text = kept < LEAST_BYTES ? `[${size} bytes left out]` : shortened(block, kept, section.keep);
    blocks[index] = { ...block, text };
    left -= size - Buffer.byteLength(text);
  }
  return { ...section, blocks };
}

function shortened({ text, quoted }: Block, most: number, keep: Section["keep"]): string {
  const rest = keep === "start" ? headBytes(text, most) : tailBytes(text, most);
  // Lines of Pawl's own are commands: half of one must not be run.
  const lines = rest.split("\n");
  const kept = quoted ? rest : (keep === "start" ? lines.slice(0, -1) : lines.slice(1)).join("\n");
  const note = `[${Buffer.byteLength(text) - Buffer.byteLength(kept)} bytes left out]`;
  return keep === "start" ? `${kept}\n${note}` : `${note}\n${kept}`;
}

const joined = (parts: readonly (string | Section)[]): string =>
  `${parts.map((part) => (typeof part === "string" ? part : written(part))).join("\n\n")}\n`;

const written = ({ heading, blocks }: Section): string =>
  [`## ${heading}`, ...blocks.map(blockText)].join("\n\n");

export const blockText = ({ label, text, quoted }: Block): string =>
  [label, quoted ? fenced(text, quoted) : text].filter((part) => part !== undefined).join("\n\n");
