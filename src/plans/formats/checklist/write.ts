import type { FoundStatus, PlanItem } from "../../../domain/index.ts";
import { collectDiagnostics } from "../diagnostics.ts";
import { type Splice, splice } from "../../../platform/json/index.ts";
import type { PlanText, PlanProgress, StepState, Written } from "../plan-format.ts";
import { type Showing, shownStatus } from "../shown-status.ts";
import { visibleLines } from "../tugplan/visible-lines.ts";
import { findBoxes, type FoundBox } from "./boxes.ts";
import { type BoxStep, outlineBoxes } from "./outline.ts";

/** A box is ticked or not. */
const SHOWING: Showing = {
  instead: {
    in_progress: "pending",
    awaiting_verification: "pending",
    blocked: "pending",
    failed: "pending",
    on_hold: "pending",
  },
  resetsAbandoned: false,
};

/** What a box says about a step. */
export const STATUS_OF_BOX: Readonly<Record<PlanItem["box"], FoundStatus>> = {
  open: "pending",
  ticked: "completed",
  deferred: "on_hold",
  dropped: "completed",
};

/** Ticks the boxes of completed steps and changes no other byte. */
export function writeChecklist({ text }: PlanText, { steps }: PlanProgress): Written {
  const lines = visibleLines(text);
  const outlined = outlineBoxes(findBoxes(lines), lines.lines.length, collectDiagnostics().report);
  const starts = lineStarts(text);
  const tick = ticksOf(text);
  const set = ({ line, at }: FoundBox, mark: string): Splice => {
    const start = starts[line]! + at + 1;
    return { start, end: start + 1, text: mark };
  };
  const changes = outlined.flatMap((step) => {
    const state = steps.get(step.anchor);
    if (!state) return [];
    const wanted = shownStatus(state, STATUS_OF_BOX[step.box.state], SHOWING);
    return [
      ...(wanted === undefined ? [] : [set(step.box, wanted === "completed" ? tick : " ")]),
      ...itemChanges(step, state).map(([box, ticked]) => set(box, ticked ? tick : " ")),
    ];
  });
  if (changes.length === 0) return { edits: [], problems: [] };
  return { edits: [{ name: "", before: text, after: splice(text, changes) }], problems: [] };
}

/** Items are told with their step: ticked when it is completed, open again when it was reopened. */
function itemChanges({ items }: BoxStep, state: StepState): readonly (readonly [FoundBox, boolean])[] {
  const isDone = state.status === "completed";
  if (isDone ? state.completedAt === null : !state.isReopened) return [];
  const byOrdinal = new Map(state.items.map(({ ordinal, status }) => [ordinal, status]));
  const isStale = (box: FoundBox, ordinal: number) =>
    isDone
      ? byOrdinal.get(ordinal) === "completed" && box.state === "open"
      : byOrdinal.get(ordinal) === "open" && box.state === "ticked";
  return items.filter(isStale).map((box) => [box, isDone]);
}

/** Where each line starts, counted as `visibleLines` counts them. */
function lineStarts(text: string): readonly number[] {
  const starts = [text.charCodeAt(0) === 0xfeff ? 1 : 0];
  for (const { index, 0: end } of text.matchAll(/\r\n|\n|\r/g)) starts.push(index + end.length);
  return starts;
}

/** `x`, unless everything in the file is ticked with `X`. */
const ticksOf = (text: string): string =>
  !/[-*+.)#][ \t]+\[x\]/.test(text) && /[-*+.)#][ \t]+\[X\]/.test(text) ? "X" : "x";
