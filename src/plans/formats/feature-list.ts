import { arrayNode, firstMember, type JsonNode, objectNode } from "../../platform/json/index.ts";
import { LIKENESS } from "./likeness.ts";
import type { PlanFormat } from "./plan-format.ts";
import { doneFlagIn, hasPasses, hasStatus, PASSES, passesOrStatus, passesWriter } from "./records/passes.ts";
import { readRecords } from "./records/read.ts";
import type { RecordList } from "./records/shape.ts";
import { aboutList } from "./records/words.ts";

const shapeOf = passesOrStatus({
  name: "feature-list",
  about: "list of features",
  listIn,
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
    parts: ["subTasks", "subtasks", "sub_tasks"],
    needsTrackedParts: true,
    status: ["passes"],
    priority: ["priority"],
  },
  ...PASSES,
  isInOrder: true,
});

/**
 * The list `features`, or one by another name (`stories`, `tasks`) that says how far its records are where `features` does
 * not: those are what is worked through.
 */
function listIn(root: JsonNode): RecordList | undefined {
  const whole = arrayNode(root);
  if (whole) return { tasks: whole, ...aboutList(root, whole) };
  const lists = (objectNode(root)?.members ?? []).flatMap(({ name, value }) => {
    const list = arrayNode(value);
    return list ? [{ name, node: list }] : [];
  });
  const features = lists.find(({ name }) => name === "features");
  const saying = (names: readonly string[]) =>
    lists.find(({ node }) => node.items.some((item) => saysOneOf(item, names)));
  const chosen =
    features && saysOneOf(features.node.items[0], PROGRESS)
      ? features
      : (saying(["passes"]) ?? (features && saying(PROGRESS)) ?? features);
  if (!chosen) return undefined;
  const beside = lists.filter(
    (list) =>
      list !== chosen && (list === features || list.node.items.some((item) => saysOneOf(item, PROGRESS))),
  );
  return { tasks: chosen.node, ...aboutList(root, chosen.node), others: beside };
}

const PROGRESS = ["passes", "status", "state"];

const saysOneOf = (record: JsonNode | undefined, names: readonly string[]): boolean => {
  const node = objectNode(record);
  return node !== undefined && firstMember(node, names) !== undefined;
};

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
  // Ralph loops without stories: a list by itself.
  if (/^\ufeff?\s*\[\s*\{/.test(text) && doneFlagIn(text) && /(?:^|[\\/])prd\b[^\\/]*\.json$/i.test(path))
    return LIKENESS.likely;
  return /"features"\s*:\s*\[\s*\{/.test(text) && hasStatus(text) ? LIKENESS.likely : LIKENESS.no;
}
