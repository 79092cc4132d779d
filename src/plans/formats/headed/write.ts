import { type Splice, splice } from "../../../platform/json/index.ts";
import { withOrdinals } from "../../../domain/index.ts";
import type { DocumentBox } from "../markdown/document.ts";
import { scanMarkdown } from "../markdown/document.ts";
import { lineStarts, tickOf } from "../markdown/ticks.ts";
import type { PlanProgress, PlanText, StepState, Written } from "../plan-format.ts";
import { type HeadedTask, outlineTasks } from "./outline.ts";
import { isCommit, itemsOf, nameTasks, type TaskItem } from "./read.ts";
import { rewordStatus, statusLineOf } from "./status-line.ts";

/**
 * Ticks the boxes of tasks that Pawl completed and rewords their status line, opens those of tasks that a person reopened,
 * and changes no other byte.
 */
export function writeHeaded({ text }: PlanText, { steps }: PlanProgress): Written {
  const document = scanMarkdown(text);
  const { tasks } = outlineTasks(document);
  const { anchors } = nameTasks(document, tasks);
  const starts = lineStarts(text);
  const tick = tickOf(text);
  const stated = tasks.map((task) => statusLineOf(document, task));
  const changes = tasks.flatMap((task, index): Splice[] => {
    const state = steps.get(anchors[index]!);
    if (!state || !isDecided(state)) return [];
    const isDone = state.status === "completed";
    const boxes = changedBoxes(task, itemsOf(document, task), state).map(({ line, at }) => {
      const start = starts[line]! + at + 1;
      return { start, end: start + 1, text: isDone ? tick : " " };
    });
    const said = stated[index];
    const words =
      said &&
      rewordStatus(
        said,
        isDone ? "done" : "open",
        stated.filter((one) => one !== undefined),
      );
    if (!said || words === undefined) return boxes;
    const start = starts[said.line]! + said.before.length;
    const status = { start, end: start + said.words.trimEnd().length, text: words };
    return [...boxes, status].toSorted((a, b) => a.start - b.start);
  });
  if (changes.length === 0) return { edits: [], problems: [] };
  return { edits: [{ name: "", before: text, after: splice(text, changes) }], problems: [] };
}

/** Pawl completed it, or a person reopened it; whatever else it is, such a file has no place for that. */
const isDecided = ({ status, completedAt, isReopened }: StepState): boolean =>
  status === "completed" ? completedAt !== null : isReopened;

function changedBoxes(
  { boxes, headingBox }: HeadedTask,
  items: readonly TaskItem[],
  state: StepState,
): readonly DocumentBox[] {
  const isDone = state.status === "completed";
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
