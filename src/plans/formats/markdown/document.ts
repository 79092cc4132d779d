import type { PlanItem } from "../../../domain/index.ts";
import { type Heading, headingAt } from "./heading.ts";
import { boxAt, listItemAt, looseBoxAt } from "./list-item.ts";
import { type PlanLines, visibleLines } from "./visible-lines.ts";

/** A Markdown file as every format sees it: lines, headings and boxes, without what is only shown in fences and comments. */
export interface MarkdownDocument extends PlanLines {
  readonly headings: readonly DocumentHeading[];
  readonly boxes: readonly DocumentBox[];
  /** List items without a box. */
  readonly plainItems: readonly { readonly line: number; readonly indent: number }[];
  /** The line of the first box or heading that was not read, because there are too many. */
  readonly cutAt: number | undefined;
}

export interface DocumentHeading extends Heading {
  /** Counted from 0. */
  readonly line: number;
}

export interface DocumentBox {
  /** Counted from 0. */
  readonly line: number;
  /** Offset of the `[` in its line. */
  readonly at: number;
  /** Columns before the list mark; -1 for a box in a heading, which holds everything up to the next heading. */
  readonly indent: number;
  /** Level of the heading, for a box in one. */
  readonly level: number | undefined;
  readonly state: PlanItem["box"];
  readonly text: string;
  /** `- [ ]* words`: work that may be left out, as Kiro marks it. */
  readonly isOptional: boolean;
  /** `- [ ]words`, `-[ ] words`: a blank is missing, so Markdown shows no box. */
  readonly isTight: boolean;
}

/** More than any plan has; a hostile file has millions. */
export const MOST_BOXES = 100_000;

/** Twice as many as a plan may have steps. */
const MOST_HEADINGS = 100_000;

let last: { readonly text: string; readonly document: MarkdownDocument } | undefined;

/** Scans a file once, also where several formats ask about it one after the other. */
export function scanMarkdown(text: string): MarkdownDocument {
  if (last?.text !== text) last = { text, document: scan(text) };
  return last.document;
}

let split: { readonly text: string; readonly plan: PlanLines } | undefined;

/** The lines of a file, split once. */
export function linesOf(text: string): PlanLines {
  if (split?.text !== text) split = { text, plan: visibleLines(text) };
  return split.plan;
}

/** Shows every heading and every box of a file, in any order, and keeps none: a hostile plan has hundreds of thousands. */
export function eachMark(
  text: string,
  see: (line: number, heading: Heading | undefined, isBox: boolean) => void,
): void {
  if (last?.text === text && last.document.cutAt === undefined) {
    seeScanned(last.document, see);
    return;
  }
  const { lines, hidden } = linesOf(text);
  for (const [line, words] of lines.entries()) {
    if (hidden[line] === 1 || words === "") continue;
    const heading = headingAt(words);
    const box = heading ? boxInHeading(words, heading.level, line) : boxInList(words, line);
    if (heading || box) see(line, heading, box !== undefined);
  }
}

/** The same for a file that was scanned just now. */
function seeScanned({ headings, boxes }: MarkdownDocument, see: Parameters<typeof eachMark>[1]): void {
  const inHeadings = new Set<number>();
  for (const { line, level } of boxes) {
    if (level === undefined) see(line, undefined, true);
    else inHeadings.add(line);
  }
  for (const heading of headings) see(heading.line, heading, inHeadings.has(heading.line));
}

function scan(text: string): MarkdownDocument {
  const plan = linesOf(text);
  const headings: DocumentHeading[] = [];
  const boxes: DocumentBox[] = [];
  const plainItems: { line: number; indent: number }[] = [];
  let cutAt: number | undefined;
  for (let line = 0; line < plan.lines.length; line += 1) {
    const words = plan.lines[line]!;
    if (plan.hidden[line] === 1 || words === "") continue;
    const heading = headingAt(words);
    if (heading && headings.length === MOST_HEADINGS) {
      cutAt ??= line;
      continue;
    }
    if (heading) headings.push(headingOf(heading, line));
    const box = heading ? boxInHeading(words, heading.level, line) : boxInList(words, line);
    if (!box) {
      const item = heading ? undefined : listItemAt(words);
      if (item) plainItems.push({ line, indent: item.indent });
      continue;
    }
    if (boxes.length < MOST_BOXES) boxes.push(box);
    else cutAt ??= line;
  }
  return { ...plan, headings, boxes, plainItems, cutAt };
}

/** Boxes in a range of lines, without looking at the others. */
export function boxesBetween(boxes: readonly DocumentBox[]) {
  const lines = boxes.map(({ line }) => line);
  const firstAt = (line: number): number => {
    let [low, high] = [0, lines.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (lines[middle]! < line) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return (start: number, end: number): readonly DocumentBox[] => boxes.slice(firstAt(start), firstAt(end));
}

/** Written out: a copy that is spread takes half as much memory again, and a hostile plan has many. */
const headingOf = ({ level, text, anchor, at }: Heading, line: number): DocumentHeading => ({
  level,
  text,
  anchor,
  at,
  line,
});

function boxInList(words: string, line: number): DocumentBox | undefined {
  if (!words.includes("[")) return undefined;
  const box = boxAt(words);
  if (box) {
    const { at, indent, state, text } = box;
    return { line, at, indent, level: undefined, state, text, isOptional: false, isTight: false };
  }
  const loose = looseBoxAt(words);
  if (!loose) return undefined;
  const { at, indent, state, text, isOptional, isTight } = loose;
  return { line, at, indent, level: undefined, state, text, isOptional, isTight };
}

/** `#### [ ] words` */
function boxInHeading(words: string, level: number, line: number): DocumentBox | undefined {
  const box = boxAt(words.replace(/^( {0,3})#{1,6}/, (mark) => `${" ".repeat(mark.length - 1)}-`));
  return (
    box && {
      line,
      at: box.at,
      indent: -1,
      level,
      state: box.state,
      text: box.text,
      isOptional: false,
      isTight: false,
    }
  );
}
