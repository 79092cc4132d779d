import type { Plan } from "../../domain/index.ts";
import {
  arrayNode,
  BadJson,
  type JsonNode,
  type JsonObject,
  member,
  nodeId,
  objectNode,
  parseJson,
} from "../../platform/json/index.ts";
import type { PlanFolder } from "../../platform/ports/index.ts";
import { LIKENESS } from "./likeness.ts";
import { unfoldFolder } from "./plan-folder.ts";
import type { PlanFormat } from "./plan-format.ts";
import { readRecords } from "./records/read.ts";
import { NO_STATUS_BUT_DONE, type RecordShape } from "./records/shape.ts";

/** A task list of Claude Code: a folder with `1.json`, `2.json`, of one conversation, which the program itself rewrites. */
export const claudeTasks: PlanFormat<"claude-tasks"> = {
  name: "claude-tasks",
  isFolder: true,
  weigh: (_path, names) => (/^\d+\.json$/m.test(names) ? LIKENESS.surely : LIKENESS.no),
  read: (text) => readFolder(unfoldFolder(text)),
  readFolder,
};

const SHAPE: RecordShape = {
  name: "claude-tasks",
  about: "tasks",
  listIn: (root) => {
    const tasks = arrayNode(root);
    return tasks && { tasks };
  },
  fields: {
    id: ["id"],
    title: ["subject", "content", "title"],
    text: [["description", ""]],
    items: [],
    needs: ["blockedBy"],
    parts: [],
    status: ["status"],
    priority: [],
    unsaid: ["activeForm", "blocks"],
  },
  statuses: new Map([
    ["pending", "pending"],
    ["in progress", "in_progress"],
    ["completed", "completed"],
    ["done", "completed"],
    ["deleted", "dropped"],
  ]),
  words: {},
  showing: NO_STATUS_BUT_DONE,
  isInOrder: false,
};

/** The list that older versions kept for a conversation: one file, and its entries follow one another. */
export const claudeTodos: PlanFormat<"claude-todos"> = {
  name: "claude-todos",
  weigh: (_path, text) =>
    TODOS.test(text) && /"status"\s*:\s*"(?:pending|in_progress|completed)"/.test(text)
      ? LIKENESS.likely
      : LIKENESS.no,
  read: (text) => readRecords(TODO_SHAPE, text),
};

/** The list itself, or what the program passes around: `{ "todos": [ … ] }`. A log of such lists has them deeper. */
const TODOS =
  /^\ufeff?\s*(?:\[|\{(?:\s*"\w+"\s*:\s*(?:"[^"]*"|[\d.]+|true|false|null)\s*,)*\s*"todos"\s*:\s*\[)\s*\{[^{}[\]]*"content"\s*:\s*"/;

const TODO_SHAPE: RecordShape = {
  ...SHAPE,
  name: "claude-todos",
  about: "todos",
  listIn: (root) => {
    const tasks = arrayNode(root) ?? arrayNode(member(objectNode(root), "todos"));
    return tasks && { tasks };
  },
  isInOrder: true,
};

/** One that cannot be read is left out and named, and so is what is no task. */
function readFolder({ files }: PlanFolder): Plan {
  const inOrder = files.toSorted((a, b) => Number.parseInt(a.name) - Number.parseInt(b.name));
  const isReadable = (text: string | undefined): text is string => {
    try {
      return text !== undefined && parseJson(text).type === "object";
    } catch (error) {
      if (error instanceof BadJson) return false;
      throw error;
    }
  };
  const texts = inOrder.flatMap(({ text }) => (isReadable(text) ? [text.replace(/^\ufeff/, "")] : []));
  const text = `[${texts.join(",\n")}]`;
  const root = parseJson(text);
  const blockers = blockersIn(root, text);
  const needsOf = (task: JsonObject): readonly string[] => [
    ...new Set([
      ...idsIn(task, "blockedBy", text),
      ...(blockers.get(nodeId(member(task, "id"), text) ?? "") ?? []),
    ]),
  ];
  const plan = readRecords({ ...SHAPE, fields: { ...SHAPE.fields, needsOf } }, text, () => root);
  const unread = inOrder.filter(({ text }) => !isReadable(text));
  return {
    ...plan,
    leftOut: [
      ...(plan.leftOut ?? []),
      ...unread.map(({ name, problem }) => ({ line: 1, text: name, why: problem ?? "It is no JSON." })),
    ],
  };
}

const idsIn = (task: JsonObject, name: string, text: string): readonly string[] =>
  (arrayNode(member(task, name))?.items ?? []).flatMap((item) => nodeId(item, text) ?? []).slice(0, 1000);

/** For each task those that say of themselves that they block it; the program notes that at both ends, and people at one. */
function blockersIn(root: JsonNode, text: string): ReadonlyMap<string, readonly string[]> {
  const blockers = new Map<string, string[]>();
  for (const item of arrayNode(root)?.items ?? []) {
    const task = objectNode(item);
    const id = task && nodeId(member(task, "id"), text);
    if (!task || id === undefined) continue;
    for (const blocked of idsIn(task, "blocks", text)) {
      const known = blockers.get(blocked);
      if (known) known.push(id);
      else blockers.set(blocked, [id]);
    }
  }
  return blockers;
}
