import type { LeftOut } from "../../../domain/index.ts";
import { quote, type Report } from "../diagnostics.ts";
import type { MarkdownDocument } from "../markdown/document.ts";
import { nameSteps } from "../name-steps.ts";
import { anchorFor } from "../plan-words.ts";
import { findBoxes, type FoundBox } from "./boxes.ts";
import type { Dialect } from "./dialect.ts";
import { readTaskText, type TaskText } from "./task-text.ts";

/** A box that is a step, with the boxes under it that are its items. */
export interface BoxStep {
  readonly box: FoundBox;
  readonly words: TaskText;
  readonly anchor: string;
  readonly items: readonly FoundBox[];
  /** First line that is no part of it any more. */
  readonly end: number;
}

/** What the boxes of a list are. */
export interface ChecklistOutline {
  readonly steps: readonly BoxStep[];
  readonly leftOut: readonly LeftOut[];
}

/**
 * Finds the boxes that are steps: those that stand under no other box.
 *
 * Where tasks have spec-kit ids, boxes without one in a phase that has no task at all (a review checklist at the end)
 * are no work of the plan. A list item without a box ends what stands under the box before it.
 */
export function outlineBoxes(
  document: MarkdownDocument,
  dialect: Dialect,
  report: Report,
  isCheck: (box: FoundBox) => boolean = () => false,
): ChecklistOutline {
  const list = findBoxes(document);
  const tops: { box: FoundBox; words: TaskText; items: FoundBox[]; end: number; scope: number }[] = [];
  const headingLines = [...list.headings];
  let [next, plain] = [0, 0];
  for (const box of list.boxes) {
    if (isCheck(box)) continue;
    const last = tops.at(-1);
    for (; (document.plainItems[plain]?.line ?? Infinity) < box.line; plain += 1) {
      const { line, indent } = document.plainItems[plain]!;
      if (last && line > last.box.line && indent <= last.box.indent) last.scope = Math.min(last.scope, line);
    }
    if (last && box.line < last.end && box.line < last.scope && box.indent > last.box.indent) {
      last.items.push(box);
      continue;
    }
    if (last) last.end = Math.min(last.end, box.line);
    while (next < headingLines.length && headingLines[next]![0] <= box.line) next += 1;
    tops.push({
      box,
      words: readTaskText(box.text),
      items: [],
      end: endOf(box, headingLines, next, document.lines.length),
      scope: Infinity,
    });
  }
  const { kept, leftOut } = tracked(tops, dialect, report);
  return { steps: named(kept, report), leftOut };
}

/** A box in a list ends at any heading, a box in a heading at the next of its level or above. */
function endOf(
  { level }: FoundBox,
  headings: readonly (readonly [line: number, level: number])[],
  next: number,
  lineCount: number,
): number {
  for (let index = next; index < headings.length; index += 1) {
    const [line, its] = headings[index]!;
    if (level === undefined || its <= level) return line;
  }
  return lineCount;
}

type Top = Omit<BoxStep, "anchor">;

function tracked(all: readonly Top[], { statusOf }: Dialect, report: Report) {
  const phases = new Set(all.filter(({ words }) => words.isSpecKit).map(({ box }) => box.group.phase));
  const isOutside = ({ box }: Top) => phases.size > 0 && !phases.has(box.group.phase);
  const outside = all.filter(isOutside);
  if (outside[0])
    report("plan/boxes-outside", boxPosition(outside[0].box), () =>
      outside.length === 1
        ? "One box lies in a section without tasks."
        : `${outside.length} boxes lie in sections without tasks.`,
    );
  const leftOut: LeftOut[] = [];
  const leave = ({ box, items }: Top, why: string) =>
    leftOut.push(...[box, ...items].map(({ line, text }) => ({ line: line + 1, text, why })));
  const kept = all.filter((top) => {
    const { box, words } = top;
    const isDropped = (words.isStruck && box.state !== "ticked") || statusOf[box.state] === "dropped";
    if (isOutside(top)) leave(top, "It lies in a section without tasks.");
    else if (isDropped) {
      leave(top, "It was dropped.");
      report("plan/dropped", boxPosition(box), () => `${quote(words.title)} was dropped.`);
    } else return true;
    return false;
  });
  return { kept, leftOut };
}

export const boxPosition = ({ line, at }: FoundBox) => ({ line: line + 1, column: at + 1 });

/** Ids are names; where there is none, the words are, because they move with the box. */
function named(tops: readonly Top[], report: Report): readonly BoxStep[] {
  const { anchors, repeated } = nameSteps(
    tops.map(({ box, words: { id, title } }) => ({ id, section: box.group.path, title, whole: box.text })),
  );
  return tops.map(({ box, words, items, end }, index) => {
    const { id, title } = words;
    const anchor = anchors[index]!;
    const before = repeated.get(index);
    if (before !== undefined)
      report(
        "plan/repeated-step",
        boxPosition(box),
        () => `${quote(title)} stands in line ${tops[before]!.box.line + 1} too, in the same section.`,
      );
    else if (id !== undefined && anchor !== anchorFor(id, "step"))
      report(
        "plan/repeated-id",
        boxPosition(box),
        () => `Several tasks have the id ${quote(id)}; this one is called ${anchor} here.`,
      );
    return { box, words, anchor, items, end };
  });
}
