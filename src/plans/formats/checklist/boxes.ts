import type { PlanItem } from "../../../domain/index.ts";
import { headingAt } from "../tugplan/heading.ts";
import { boxAt } from "../tugplan/list-item.ts";
import type { PlanLines } from "../tugplan/visible-lines.ts";

/** A box of the file, with the words beside it. */
export interface FoundBox {
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
  /** The line of the first box that was not looked at, because there are too many. */
  readonly cutAt: number | undefined;
  readonly boxes: readonly FoundBox[];
  /** Lines with headings, counted from 0, each with its level. */
  readonly headings: ReadonlyMap<number, number>;
  readonly title: string | undefined;
}

/** More than anybody does; a hostile file has millions. */
export const MOST_BOXES = 100_000;

export function findBoxes({ lines, hidden }: PlanLines): BoxList {
  const headings = new Map<number, number>();
  const titles = new Map<number, string>();
  for (let index = 0; index < lines.length; index += 1) {
    const heading = hidden[index] === 1 || lines[index] === "" ? undefined : headingAt(lines[index]!);
    if (!heading) continue;
    headings.set(index, heading.level);
    titles.set(index, heading.text);
  }
  const phaseLevel = phaseLevelOf(headings, titles);
  const boxes: FoundBox[] = [];
  let group: Group = { title: "", path: "", phase: 0 };
  const [first] = headings;
  // Giving the file another title moves none of its steps.
  const isTitle = (index: number, level: number) => level === 1 && index === first?.[0];
  let over: readonly { readonly level: number; readonly text: string }[] = [];
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index]!;
    if (hidden[index] === 1 || line === "") continue;
    if (boxes.length >= MOST_BOXES) return { boxes, headings, title: firstOf(titles), cutAt: index };
    const level = headings.get(index);
    if (level === undefined) {
      const box = boxAt(line) ?? boxAt(line.replace(OPTIONAL, "$1 "));
      if (box) boxes.push({ ...box, line: index, level: undefined, group });
      continue;
    }
    over = over.filter((heading) => heading.level < level);
    const inHeading = boxAt(line.replace(/^( {0,3})#{1,6}/, (mark) => `${" ".repeat(mark.length - 1)}-`));
    if (inHeading) {
      group = { ...group, path: pathOf(over) };
      boxes.push({ ...inHeading, line: index, indent: -1, level, group });
      continue;
    }
    const text = titles.get(index) ?? "";
    if (!isTitle(index, level)) over = [...over, { level, text }];
    group = { title: text, path: pathOf(over), phase: level <= phaseLevel ? group.phase + 1 : group.phase };
  }
  return { boxes, headings, title: firstOf(titles), cutAt: undefined };
}

const pathOf = (over: readonly { readonly text: string }[]): string =>
  over.map(({ text }) => text).join(" / ");

const firstOf = (titles: ReadonlyMap<number, string>): string | undefined =>
  [...titles.values()].find((text) => text !== "");

/** Phases are what is called so; where nothing is, the headings of level 2. */
function phaseLevelOf(headings: ReadonlyMap<number, number>, titles: ReadonlyMap<number, string>): number {
  const levels = [...headings].flatMap(([index, level]) =>
    PHASE.test(titles.get(index) ?? "") ? [level] : [],
  );
  return levels.length === 0 ? 2 : Math.min(...levels.slice(0, 1000));
}

/** `- [ ]* words`: a task that may be left out, as some tools mark it. */
const OPTIONAL = /^([ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+\[.\])\*(?=[ \t])/;

const PHASE = /^phase\b/i;
