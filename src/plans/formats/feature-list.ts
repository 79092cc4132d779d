import { arrayNode, type JsonArray, type JsonNode, member, objectNode } from "../../platform/json/index.ts";
import { LIKENESS } from "./likeness.ts";
import type { PlanFormat } from "./plan-format.ts";
import { hasPasses, hasStatus, PASSES, passesOrStatus, passesWriter } from "./records/passes.ts";
import { readRecords } from "./records/read.ts";
import { aboutList } from "./records/words.ts";

const shapeOf = passesOrStatus({
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
    items: [
      "steps",
      "acceptance",
      "acceptanceCriteria",
      "acceptance_criteria",
      "doneCriteria",
      "done_criteria",
      "verification",
    ],
    needs: ["dependsOn", "depends_on", "dependencies"],
    parts: [],
    status: ["passes"],
    priority: ["priority"],
  },
  ...PASSES,
  isInOrder: true,
});

/** A list by any other name (`stories`, `tests`) whose records pass or do not. */
const listWithPasses = (root: JsonNode): JsonArray | undefined =>
  objectNode(root)?.members.flatMap(({ value }) => {
    const list = arrayNode(value);
    return list?.items.some((item) => member(objectNode(item), "passes")) ? [list] : [];
  })[0];

/** The `feature_list.json` of harnesses for long-running agents: features, each of which passes or not, or has a status. */
export const featureList: PlanFormat<"feature-list"> = {
  name: "feature-list",
  weigh: weighFeatures,
  read: (text) => readRecords(shapeOf(text), text),
  writer: passesWriter(shapeOf),
};

function weighFeatures(path: string, text: string): number {
  if (!/^\ufeff?\s*[[{]/.test(text) || /"userStories"\s*:/.test(text)) return LIKENESS.no;
  if (hasPasses(text)) return LIKENESS.surely;
  const isList = /^\ufeff?\s*\[/.test(text) || /"features"\s*:\s*\[/.test(text);
  if (isList && /(?:^|[\\/])feature[_-]?list\.json$/i.test(path)) return LIKENESS.certainly;
  return /"features"\s*:\s*\[\s*\{/.test(text) && hasStatus(text) ? LIKENESS.likely : LIKENESS.no;
}
