import type { LineRange } from "../markdown/line-range.ts";
import type { DocumentHeading, MarkdownDocument } from "../markdown/document.ts";
import { findBoxes, type FoundBox } from "./boxes.ts";
import type { Dialect } from "./dialect.ts";

/** A section that says more about a step, with the boxes in it. */
export interface About {
  readonly start: number;
  readonly end: number;
  readonly boxes: readonly FoundBox[];
}

/**
 * By the line of its box, the section that says more about a step. A box inside such a section has none of its own, and one
 * that lies in several belongs to the innermost.
 */
export function aboutOf(document: MarkdownDocument, { isAbout }: Dialect): ReadonlyMap<number, About> {
  if (!isAbout) return new Map();
  const { boxes } = findBoxes(document);
  const sections = document.headings
    .filter(({ text }) => /^phase\s/i.test(text))
    .map((heading) => ({ ...rangeOf(document, heading), text: heading.text }));
  const inside = innermostOf(sections);
  const chosen = new Map<number, LineRange>();
  const taken = new Set<number>();
  for (const box of boxes) {
    if (inside(box.line) || box.indent !== 0) continue;
    const section = sections.find(({ text }) => isAbout(text, box.text));
    if (!section || taken.has(section.start)) continue;
    taken.add(section.start);
    chosen.set(box.line, section);
  }
  const ownerOf = innermostOf([...chosen.values()].toSorted((one, other) => one.start - other.start));
  const owned = new Map<LineRange, FoundBox[]>();
  for (const box of boxes) {
    const owner = ownerOf(box.line);
    if (owner) {
      const list = owned.get(owner);
      if (list) list.push(box);
      else owned.set(owner, [box]);
    }
  }
  return new Map(
    [...chosen].map(([line, section]) => [
      line,
      { start: section.start, end: section.end, boxes: owned.get(section) ?? [] },
    ]),
  );
}

/** The innermost of these ranges that a line lies in. They are sorted, none cuts another, and lines are asked for in order. */
function innermostOf(ranges: readonly LineRange[]): (line: number) => LineRange | undefined {
  const open: LineRange[] = [];
  let next = 0;
  return (line) => {
    for (; next < ranges.length && ranges[next]!.start <= line; next += 1) {
      while (open.length > 0 && open.at(-1)!.end <= ranges[next]!.start) open.pop();
      open.push(ranges[next]!);
    }
    while (open.length > 0 && open.at(-1)!.end <= line) open.pop();
    return open.at(-1);
  };
}

/** From a heading up to the next one of its level or above. */
export function rangeOf({ headings, lines }: MarkdownDocument, { line, level }: DocumentHeading) {
  const next = headings.find((heading) => heading.line > line && heading.level <= level);
  return { start: line, end: next?.line ?? lines.length };
}
