import type { FoundStatus } from "../../../domain/index.ts";
import { collectDiagnostics } from "../diagnostics.ts";
import {
  addMember,
  BadJson,
  firstMember,
  type JsonNode,
  member,
  nodeText,
  objectNode,
  parseJson,
  positionsIn,
  replaceValue,
  type Splice,
  splice,
} from "../../../platform/json/index.ts";
import type { PlanProgress, PlanText, Written } from "../plan-format.ts";
import { shownStatus, statusNamed } from "../shown-status.ts";
import { findRecords, type TaskRecord } from "./find.ts";
import type { RecordShape } from "./shape.ts";

/** Writes the status of tasks that Pawl worked on, and changes no other byte. */
export const writeRecords =
  (shape: RecordShape) =>
  ({ text }: PlanText, { steps }: PlanProgress): Written => {
    const found = tasksIn(shape, text);
    if (!found) return { edits: [], problems: [{ name: "", message: "it is no longer a readable plan" }] };
    const tasks = found.tasks.flatMap((task) => [task, ...task.parts]);
    const wordFor = wordsOf(shape, found.root, tasks);
    const changes = tasks
      .flatMap((task): readonly Splice[] => {
        const state = steps.get(task.anchor);
        const wanted = state && shownStatus(state, task.status, shape.showing);
        const word = wanted && wordFor(wanted);
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

/** The format's own word for a status, unless the file says that in another word: in a record, or in its legend. */
function wordsOf({ fields, statuses, words }: RecordShape, root: JsonNode, tasks: readonly TaskRecord[]) {
  const legend = objectNode(member(objectNode(root), "status_legend"))?.members.map(({ name }) => name) ?? [];
  const written = tasks.flatMap(({ node }) => nodeText(firstMember(node, fields.status)) ?? []);
  const used = new Set([...legend, ...written]);
  return (status: FoundStatus): string | boolean | undefined => {
    const own = words[status];
    if (typeof own !== "string" || used.has(own)) return own;
    return [...used].find((word) => statusNamed(statuses, word) === status) ?? own;
  };
}

function tasksIn(shape: RecordShape, text: string) {
  try {
    const root = parseJson(text);
    const list = shape.listIn(root);
    const { report } = collectDiagnostics();
    const reading = { text, place: positionsIn(text), report };
    return list && { root, tasks: findRecords(shape, list.tasks, reading).tasks };
  } catch (error) {
    if (error instanceof BadJson) return undefined;
    throw error;
  }
}
