import { type Splice, splice } from "../../../platform/json/index.ts";
import { withOrdinals } from "../../../domain/index.ts";
import type { DocumentBox } from "../markdown/document.ts";
import { scanMarkdown } from "../markdown/document.ts";
import { lineStarts, tickOf } from "../markdown/ticks.ts";
import type { PlanProgress, PlanText, StepState, Written } from "../plan-format.ts";
import { type HeadedTask, outlineTasks } from "./outline.ts";
import { isCommit, itemsOf, nameTasks, type TaskItem } from "./read.ts";

/** Ticks the boxes of tasks that Pawl completed, opens those of tasks that a person reopened, and changes no other byte. */
export function writeHeaded({ text }: PlanText, { steps }: PlanProgress): Written {
  const document = scanMarkdown(text);
  const { tasks } = outlineTasks(document);
  const { anchors } = nameTasks(document, tasks);
  const starts = lineStarts(text);
  const tick = tickOf(text);
  const changes = tasks.flatMap((task, index): Splice[] => {
    const state = steps.get(anchors[index]!);
    if (!state) return [];
    return changedBoxes(task, itemsOf(document, task), state).map(({ line, at }) => {
      const start = starts[line]! + at + 1;
      return { start, end: start + 1, text: state.status === "completed" ? tick : " " };
    });
  });
  if (changes.length === 0) return { edits: [], problems: [] };
  return { edits: [{ name: "", before: text, after: splice(text, changes) }], problems: [] };
}

function changedBoxes(
  { boxes, headingBox }: HeadedTask,
  items: readonly TaskItem[],
  state: StepState,
): readonly DocumentBox[] {
  const isDone = state.status === "completed";
  if (isDone ? state.completedAt === null : !state.isReopened) return [];
  const isStale = ({ state: mark }: DocumentBox) => (isDone ? mark === "open" : mark === "ticked");
  const wanted = isDone ? "completed" : "open";
  const statuses = new Map(state.items.map(({ kind, ordinal, status }) => [`${kind} ${ordinal}`, status]));
  const own = withOrdinals(items).flatMap(({ source, kind, ordinal }) =>
    source && isStale(source) && statuses.get(`${kind} ${ordinal}`) === wanted ? [source] : [],
  );
  const commits = boxes.filter((box) => isCommit(box.text) && isStale(box));
  return [...own, ...commits, ...(headingBox && isStale(headingBox) ? [headingBox] : [])].toSorted(
    (a, b) => a.line - b.line,
  );
}
