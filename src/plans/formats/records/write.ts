import { collectDiagnostics } from "../diagnostics.ts";
import {
  addMember,
  BadJson,
  firstMember,
  parseJson,
  positionsIn,
  replaceValue,
  type Splice,
  splice,
} from "../../../platform/json/index.ts";
import type { PlanProgress, PlanText, Written } from "../plan-format.ts";
import { shownStatus } from "../shown-status.ts";
import { findRecords, type TaskRecord } from "./find.ts";
import type { RecordShape } from "./shape.ts";

/** Writes the status of tasks that Pawl worked on, and changes no other byte. */
export const writeRecords =
  (shape: RecordShape) =>
  ({ text }: PlanText, { steps }: PlanProgress): Written => {
    const tasks = tasksIn(shape, text);
    if (!tasks) return { edits: [], problems: [{ name: "", message: "it is no readable plan any more" }] };
    const changes = tasks
      .flatMap((task) => [task, ...task.parts])
      .flatMap((task): readonly Splice[] => {
        const state = steps.get(task.anchor);
        const wanted = state && shownStatus(state, task.status, shape.showing);
        const word = wanted && shape.words[wanted];
        if (word === undefined) return [];
        const held = firstMember(task.node, shape.fields.status);
        return [
          held ? replaceValue(text, held, word) : addMember(text, task.node, shape.fields.status[0]!, word),
        ];
      })
      .toSorted((a, b) => a.start - b.start);
    if (changes.length === 0) return { edits: [], problems: [] };
    return { edits: [{ name: "", before: text, after: splice(text, changes) }], problems: [] };
  };

function tasksIn(shape: RecordShape, text: string): readonly TaskRecord[] | undefined {
  try {
    const list = shape.listIn(parseJson(text));
    const { report } = collectDiagnostics();
    return list && findRecords(shape, list.tasks, { text, place: positionsIn(text), report }).tasks;
  } catch (error) {
    if (error instanceof BadJson) return undefined;
    throw error;
  }
}
