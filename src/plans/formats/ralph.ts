import { arrayNode, member, objectNode } from "../../platform/json/index.ts";
import { LIKENESS } from "./likeness.ts";
import type { PlanFormat } from "./plan-format.ts";
import { PASSES, passesOrStatus, passesWriter } from "./records/passes.ts";
import { readRecords } from "./records/read.ts";
import { aboutList } from "./records/words.ts";

const shapeOf = passesOrStatus({
  name: "ralph",
  about: "list of user stories",
  listIn: (root) => {
    const tasks = arrayNode(member(objectNode(root), "userStories"));
    return tasks && { tasks, ...aboutList(root, tasks) };
  },
  fields: {
    id: ["id"],
    title: ["title", "description"],
    text: [
      ["description", ""],
      ["notes", "Notes"],
    ],
    items: ["acceptanceCriteria", "acceptance_criteria"],
    needs: ["dependsOn", "depends_on", "dependencies"],
    parts: ["subTasks", "subtasks", "sub_tasks"],
    needsTrackedParts: true,
    status: ["passes"],
    priority: ["priority"],
  },
  ...PASSES,
  isInOrder: true,
});

/** The `prd.json` of Ralph loops: user stories by priority, each of which passes or not, or has a status. */
export const ralph: PlanFormat<"ralph"> = {
  name: "ralph",
  weigh: (_path, text) => (/"userStories"\s*:\s*\[/.test(text) ? LIKENESS.surely : LIKENESS.no),
  read: (text) => readRecords(shapeOf(text), text),
  writer: passesWriter(shapeOf),
};
