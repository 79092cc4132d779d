import type { DocumentBox, DocumentHeading, MarkdownDocument } from "../markdown/document.ts";

/** A box of the file, with the words beside it and the headings over it. */
export interface FoundBox extends DocumentBox {
  readonly group: Group;
}

/** The headings over a box. */
export interface Group {
  /** The nearest one; empty before the first. */
  readonly title: string;
  /** All of them from the outermost on, without the file's own title. */
  readonly path: string;
  /** Which phase it lies in, counted from 0. */
  readonly phase: number;
}

/** Everything in a file that is a box, in order, and where sections begin. */
export interface BoxList {
  /** The line of the first box that was not read, because there are too many. */
  readonly cutAt: number | undefined;
  readonly boxes: readonly FoundBox[];
  /** Lines with headings, counted from 0, each with its level. */
  readonly headings: ReadonlyMap<number, number>;
  readonly title: string | undefined;
}

export function findBoxes(document: MarkdownDocument): BoxList {
  const headings = new Map(document.headings.map(({ line, level }) => [line, level]));
  const phaseLevel = phaseLevelOf(document.headings);
  const boxes: FoundBox[] = [];
  let group: Group = { title: "", path: "", phase: 0 };
  // Giving the file another title moves none of its steps.
  const isTitle = (index: number, level: number) => level === 1 && index === 0;
  let over: readonly { readonly level: number; readonly text: string }[] = [];
  let next = 0;
  const enter = (index: number) => {
    const { level, text: whole, line } = document.headings[index]!;
    const text = whole.replace(CHECKPOINT, "");
    over = over.filter((heading) => heading.level < level);
    if (document.boxes[next]?.line === line) {
      group = { ...group, path: pathOf(over) };
      return;
    }
    if (!isTitle(index, level)) over = [...over, { level, text }];
    const isPhase = level <= phaseLevel || PHASE.test(text);
    group = { title: text, path: pathOf(over), phase: isPhase ? group.phase + 1 : group.phase };
  };
  let heading = 0;
  for (; next < document.boxes.length; next += 1) {
    const box = document.boxes[next]!;
    for (; (document.headings[heading]?.line ?? Infinity) <= box.line; heading += 1) enter(heading);
    boxes.push(inGroup(box, group));
  }
  return { boxes, headings, title: firstOf(document.headings), cutAt: document.cutAt };
}

/** Written out: a copy that is spread takes several times as long, and a long list has many. */
const inGroup = (
  { line, at, indent, level, state, text, isOptional, isTight }: DocumentBox,
  group: Group,
): FoundBox => ({ line, at, indent, level, state, text, isOptional, isTight, group });

const pathOf = (over: readonly { readonly text: string }[]): string =>
  over.map(({ text }) => text).join(" / ");

const firstOf = (headings: readonly DocumentHeading[]): string | undefined =>
  headings.find(({ text }) => text !== "")?.text;

/** Phases are what is called so; where nothing is, the headings of level 2. */
const phaseLevelOf = (headings: readonly DocumentHeading[]): number =>
  headings
    .filter(({ text }) => PHASE.test(text))
    .reduce((least, { level }) => Math.min(least, level), PHASELESS) % PHASELESS || 2;

/** More than any level. */
const PHASELESS = 7;

const PHASE = /^phase\b/i;

/** What Conductor writes behind a phase that is done. */
const CHECKPOINT = /(?<!\s)\s*\[checkpoint:[^\][]*\]\s*$/i;
