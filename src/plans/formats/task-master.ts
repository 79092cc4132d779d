import { arrayNode, type JsonArray, type JsonNode, member, objectNode } from "../../platform/json/index.ts";
import { LIKENESS } from "./likeness.ts";
import type { PlanFormat } from "./plan-format.ts";
import { readRecords } from "./records/read.ts";
import type { RecordList, RecordShape } from "./records/shape.ts";
import { writeRecords } from "./records/write.ts";

const SHAPE: RecordShape = {
  name: "task-master",
  about: "list of tasks",
  listIn,
  fields: {
    id: ["id"],
    title: ["title", "description"],
    text: [
      ["description", ""],
      ["details", "Details"],
      ["testStrategy", "Test strategy"],
    ],
    items: ["acceptanceCriteria", "acceptance_criteria"],
    needs: ["dependencies"],
    parts: ["subtasks"],
    status: ["status"],
    priority: ["priority"],
  },
  statuses: new Map([
    ["pending", "pending"],
    ["todo", "pending"],
    ["in progress", "in_progress"],
    ["review", "awaiting_verification"],
    ["done", "completed"],
    ["completed", "completed"],
    ["blocked", "blocked"],
    ["deferred", "on_hold"],
    ["cancelled", "dropped"],
    ["canceled", "dropped"],
  ]),
  words: {
    pending: "pending",
    in_progress: "in-progress",
    awaiting_verification: "review",
    completed: "done",
    blocked: "blocked",
    failed: "blocked",
    on_hold: "deferred",
  },
  showing: { instead: { failed: "blocked" }, resetsAbandoned: false },
  isInOrder: false,
};

/** The `tasks.json` of task-master: lists by tag, or one list. */
export const taskMaster: PlanFormat<"task-master"> = {
  name: "task-master",
  weigh: (path, text) => {
    if (!/^\ufeff?\s*\{/.test(text)) return LIKENESS.no;
    if (/(?:^|[\\/])\.taskmaster[\\/](?:tasks[\\/])?tasks\.json$/.test(path)) return LIKENESS.certainly;
    if (/^\ufeff?\s*\{\s*"master"\s*:\s*\[\s*\{/.test(text)) return LIKENESS.likely;
    if (!/"tasks"\s*:\s*\[/.test(text) || /"phases"\s*:\s*\[/.test(text)) return LIKENESS.no;
    return /(?:^|[\\/])\.taskmaster[\\/]/.test(path) ? LIKENESS.certainly : LIKENESS.likely;
  },
  read: (text) => readRecords(SHAPE, text),
  writer: { companions: [], write: writeRecords(SHAPE) },
};

/** The tag `master`, else the first that has tasks: the others are for other branches of the work. */
function listIn(root: JsonNode): RecordList | undefined {
  const object = objectNode(root);
  const own = object && arrayNode(member(object, "tasks"));
  if (own) return { tasks: own };
  const tags = (object?.members ?? []).flatMap(({ name, value }) => {
    const tasks = arrayNode(member(objectNode(value), "tasks")) ?? listOfTasks(value);
    return tasks ? [{ name, tasks }] : [];
  });
  const chosen =
    tags.find(({ name }) => name === "master") ?? tags.find(({ tasks }) => tasks.items.length > 0) ?? tags[0];
  return (
    chosen && {
      tasks: chosen.tasks,
      title: chosen.name === "master" ? undefined : chosen.name,
      others: tags
        .filter((tag) => tag !== chosen && tag.tasks.items.length > 0)
        .map(({ name, tasks }) => ({ name: `tag ${name}`, node: tasks })),
    }
  );
}

/** A tag whose tasks stand in it directly, as agents write it. */
const listOfTasks = (node: JsonNode): JsonArray | undefined => {
  const list = arrayNode(node);
  const isTask = (item: JsonNode) => member(objectNode(item), "title") !== undefined;
  return list && list.items.length > 0 && list.items.every(isTask) ? list : undefined;
};
