import { collectDiagnostics } from "../diagnostics.ts";
import { type Splice, splice } from "../../../platform/json/index.ts";
import type { PlanText, PlanProgress, StepState, Written } from "../plan-format.ts";
import { shownStatus } from "../shown-status.ts";
import { scanMarkdown } from "../markdown/document.ts";
import { lineStarts, tickOf } from "../markdown/ticks.ts";
import type { FoundBox } from "./boxes.ts";
import type { Dialect } from "./dialect.ts";
import { type ListStep, listOf } from "./read.ts";

/** Marks the boxes of steps as the list marks them, ticks those of completed ones, and changes no other byte. */
export const writeList =
  (dialect: Dialect) =>
  ({ text }: PlanText, { steps }: PlanProgress): Written => {
    const list = listOf(scanMarkdown(text), dialect, collectDiagnostics().report);
    const starts = lineStarts(text);
    const tick = tickOf(text);
    const set = ({ line, at }: FoundBox, mark: string): Splice => {
      const start = starts[line]! + at + 1;
      return { start, end: start + 1, text: mark };
    };
    const changes = list.steps.flatMap((step) => {
      const state = steps.get(step.anchor);
      if (!state) return [];
      const found = dialect.statusOf[step.box.state];
      const wanted = shownStatus(state, found === "dropped" ? "completed" : found, dialect.showing);
      const mark = wanted === "completed" ? tick : wanted && (dialect.marks[wanted] ?? " ");
      return [
        ...(mark === undefined ? [] : [set(step.box, mark)]),
        ...itemChanges(step, state, dialect).map(([box, ticked]) => set(box, ticked ? tick : " ")),
      ];
    });
    if (changes.length === 0) return { edits: [], problems: [] };
    return {
      edits: [
        {
          name: "",
          before: text,
          after: splice(
            text,
            changes.toSorted((a, b) => a.start - b.start),
          ),
        },
      ],
      problems: [],
    };
  };

/** Items follow their step: ticked when it is completed, open again when it was reopened. */
function itemChanges(
  { own }: ListStep,
  state: StepState,
  { itemOf }: Dialect,
): readonly (readonly [FoundBox, boolean])[] {
  const isDone = state.status === "completed";
  if (isDone ? state.completedAt === null : !state.isReopened) return [];
  const byOrdinal = new Map(state.items.map(({ ordinal, status }) => [ordinal, status]));
  const isStale = (box: FoundBox, ordinal: number) =>
    isDone
      ? byOrdinal.get(ordinal) === "completed" && itemOf[box.state] === "open"
      : byOrdinal.get(ordinal) === "open" && itemOf[box.state] === "ticked";
  return own.filter(isStale).map((box) => [box, isDone]);
}
