import { headingAt } from "./heading.ts";
import { contentStart, indentOf } from "./indentation.ts";
import { labelsAt } from "../tugplan/label.ts";
import { boxAt, listItemAt } from "./list-item.ts";
import { stepHeadingOf } from "../tugplan/step-heading.ts";

/** A plan as lines, with those marked in which nothing is structure. */
export interface PlanLines {
  readonly lines: readonly string[];
  /** Per line, 1 inside a fence, a comment or front matter, and for a line that is too long to look at. */
  readonly hidden: Uint8Array;
  readonly tooLong: readonly number[];
  readonly unclosed: readonly Unclosed[];
  /** There are more lines than are read; those behind them were not read. */
  readonly isCut: boolean;
}

/** A fence or comment that was not closed; it ends before line `end`. All counted from 0. */
export interface Unclosed {
  readonly what: "fence" | "comment";
  readonly start: number;
  readonly end: number;
  /** Lines in it that would have been steps. */
  readonly steps: number;
}

export const MAX_LINE_LENGTH = 64 * 1024;

/** Thirty times as many as the longest plan that is known; sixteen megabytes of line ends are a plan file, too. */
export const MAX_LINES = 300_000;

/** Splits a plan into lines and finds out what is only shown, not meant. */
export function visibleLines(text: string): PlanLines {
  const ends = text.includes("\r") ? /\r\n|\n|\r/ : "\n";
  const lines = text.replace(/^\ufeff/, "").split(ends, MAX_LINES + 1);
  const isCut = lines.length > MAX_LINES;
  if (isCut) lines.pop();
  const hidden = new Uint8Array(lines.length);
  const tooLong: number[] = [];
  const unclosed: Unclosed[] = [];
  let open: Opened | undefined;
  let inList = false;
  for (let index = hideFrontMatter(lines, hidden); index < lines.length; index += 1) {
    const line = lines[index]!;
    if (line.length > MAX_LINE_LENGTH) {
      tooLong.push(index);
      hidden[index] = 1;
      continue;
    }
    if (open && endsWithoutMark(open, line)) {
      unclosed.push(unclosedOf(lines, open, index));
      open = undefined;
    }
    if (open) {
      hidden[index] = 1;
      if (closes(open, line)) open = undefined;
      continue;
    }
    open = opens(line, index, inList);
    if (open) hidden[index] = 1;
    if (open?.what === "comment" && closes(open, line)) open = undefined;
    if (line !== "") inList = listItemAt(line) !== undefined || (inList && indentOf(line) > 0);
  }
  if (open) unclosed.push(unclosedOf(lines, open, lines.length));
  return { lines, hidden, tooLong, unclosed, isCut };
}

/** Front matter is closed, starts at once and holds fields; else the first line is a rule, and what follows it is the plan. */
function hideFrontMatter(lines: readonly string[], hidden: Uint8Array): number {
  if (lines[0]?.trimEnd() !== "---" || lines[1]?.trim() === "") return 0;
  const rest = lines.findIndex((line, index) => index > 0 && /^(?:---|\.\.\.)\s*$/.test(line.slice(0, 80)));
  if (rest === -1 || !isFields(lines.slice(1, rest))) return 0;
  hidden.fill(1, 0, rest + 1);
  return rest + 1;
}

/** A plan between two rules has words and boxes where front matter has fields; its headings could be comments. */
function isFields(lines: readonly string[]): boolean {
  const first = lines.find((line) => line.trim() !== "" && !line.startsWith("#")) ?? "a:";
  return FIELD.test(first.slice(0, 200)) && !lines.some((line) => BOX.test(line.slice(0, 80)));
}

const FIELD = /^\s*(?:["']?[\w$@.-][^:]*:(?:\s|$)|[-{[])/;

const BOX = /^[-*+] +\[[ xX~-]\] /;

type Opened =
  | { readonly what: "comment"; readonly start: number }
  | {
      readonly what: "fence";
      readonly start: number;
      readonly mark: string;
      readonly length: number;
      readonly inList: boolean;
    };

function opens(line: string, start: number, inList: boolean): Opened | undefined {
  // Nearly no line has any of these, and looking for them takes no time.
  if (!(line.includes("```") || line.includes("~~~") || line.includes("<!--"))) return undefined;
  if (line.startsWith("<!--", contentStart(line))) return { what: "comment", start };
  const item = listItemAt(line);
  const fence = fenceAt(line, item?.content ?? contentStart(line));
  if (!fence || (fence.mark === "`" && line.includes("`", fence.end))) return undefined;
  const indented = item !== undefined || (inList && indentOf(line) > 0);
  return { what: "fence", start, mark: fence.mark, length: fence.length, inList: indented };
}

function closes(open: Opened, line: string): boolean {
  if (open.what === "comment") return line.includes("-->");
  const fence = fenceAt(line, contentStart(line));
  return fence?.mark === open.mark && fence.length >= open.length && line.slice(fence.end).trim() === "";
}

function fenceAt(line: string, start: number): { mark: string; length: number; end: number } | undefined {
  const mark = line[start];
  if (mark !== "`" && mark !== "~") return undefined;
  let end = start;
  while (line[end] === mark) end += 1;
  return end - start >= 3 ? { mark, length: end - start, end } : undefined;
}

/**
 * A fence inside a list item ends with the item, as Markdown has it, even when its author forgot to close it.
 *
 * Only a line that is certainly structure ends it so: the content of such fences is often not indented as it should be,
 * and a shell comment looks like a heading of level 1.
 */
function endsWithoutMark(open: Opened, line: string): boolean {
  if (open.what !== "fence" || !open.inList || !/^[#*\-+0-9]/.test(line)) return false;
  return (headingAt(line)?.level ?? 0) >= 2 || boxAt(line) !== undefined || labelsAt(line).length > 0;
}

function unclosedOf(lines: readonly string[], { what, start }: Opened, end: number): Unclosed {
  let steps = 0;
  for (let index = start; index < end; index += 1) {
    const heading = headingAt(lines[index]!);
    if (heading && stepHeadingOf(heading.text, heading.anchor !== undefined)?.kind === "step") steps += 1;
  }
  return { what, start, end, steps };
}
