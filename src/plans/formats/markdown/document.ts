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

/** Shows every heading and every box of a file, one after the other, and keeps none: a hostile plan has hundreds of thousands. */
export function eachMark(
  text: string,
  see: (line: number, heading: Heading | undefined, isBox: boolean) => void,
): void {
  const { lines, hidden } = linesOf(text);
  for (const [line, words] of lines.entries()) {
    if (hidden[line] === 1 || words === "") continue;
    const heading = headingAt(words);
    const box = heading ? boxInHeading(words, heading.level) : boxInList(words);
    if (heading || box) see(line, heading, box !== undefined);
  }
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
    const box = heading ? boxInHeading(words, heading.level) : boxInList(words);
    if (!box) {
      const item = heading ? undefined : listItemAt(words);
      if (item) plainItems.push({ line, indent: item.indent });
      continue;
    }
    if (boxes.length < MOST_BOXES) boxes.push(placed(box, line));
    else cutAt ??= line;
  }
  return { ...plan, headings, boxes, plainItems, cutAt };
}

/** Written out: a copy that is spread takes half as much memory again, and a hostile plan has many. */
const headingOf = ({ level, text, anchor, at }: Heading, line: number): DocumentHeading => ({
  level,
  text,
  anchor,
  at,
  line,
});

const placed = (box: FoundBox, line: number): DocumentBox => ({
  line,
  at: box.at,
  indent: box.indent,
  level: box.level,
  state: box.state,
  text: box.text,
  isOptional: box.isOptional,
  isTight: box.isTight,
});

type FoundBox = Omit<DocumentBox, "line">;

function boxInList(line: string): FoundBox | undefined {
  if (!line.includes("[")) return undefined;
  const box = boxAt(line);
  if (box) return { ...box, level: undefined, isOptional: false, isTight: false };
  const loose = looseBoxAt(line);
  return loose && { ...loose, level: undefined };
}

/** `#### [ ] words` */
function boxInHeading(line: string, level: number): FoundBox | undefined {
  const box = boxAt(line.replace(/^( {0,3})#{1,6}/, (mark) => `${" ".repeat(mark.length - 1)}-`));
  return box && { ...box, indent: -1, level, isOptional: false, isTight: false };
}
