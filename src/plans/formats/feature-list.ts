import { arrayNode, type JsonArray, type JsonNode, member, objectNode } from "../../platform/json/index.ts";
import { LIKENESS } from "./likeness.ts";
import type { PlanFormat } from "./plan-format.ts";
import { readRecords } from "./records/read.ts";
import { NO_STATUS_BUT_DONE, type RecordShape } from "./records/shape.ts";
import { aboutList } from "./records/words.ts";
import { writeRecords } from "./records/write.ts";

const SHAPE: RecordShape = {
  name: "feature-list",
  about: "list of features",
  listIn: (root) => {
    const tasks = arrayNode(root) ?? arrayNode(member(objectNode(root), "features")) ?? listWithPasses(root);
    return tasks && { tasks, ...aboutList(root, tasks) };
  },
  fields: {
    id: ["id"],
    title: ["title", "name", "description"],
    text: [
      ["description", ""],
      ["category", "Category"],
      ["notes", "Notes"],
    ],
    items: ["steps", "acceptance", "acceptanceCriteria", "acceptance_criteria"],
    needs: ["dependsOn", "depends_on", "dependencies"],
    parts: [],
    status: ["passes"],
    priority: ["priority"],
  },
  statuses: new Map([
    ["true", "completed"],
    ["false", "pending"],
  ]),
  words: { pending: false, completed: true },
  showing: NO_STATUS_BUT_DONE,
  isInOrder: true,
};

/** A list by any other name (`stories`, `tests`) whose records pass or do not. */
const listWithPasses = (root: JsonNode): JsonArray | undefined =>
  objectNode(root)?.members.flatMap(({ value }) => {
    const list = arrayNode(value);
    return list?.items.some((item) => member(objectNode(item), "passes")) ? [list] : [];
  })[0];

/** The `feature_list.json` of harnesses for long-running agents: features, each of which passes or not. */
export const featureList: PlanFormat<"feature-list"> = {
  name: "feature-list",
  weigh: (_path, text) =>
    /^\ufeff?\s*[[{]/.test(text) &&
    /"passes"\s*:\s*(?:true|false)/.test(text) &&
    !/"userStories"\s*:/.test(text)
      ? LIKENESS.surely
      : LIKENESS.no,
  read: (text) => readRecords(SHAPE, text),
  writer: { companions: [], write: writeRecords(SHAPE) },
};
