import type { Plan } from "../../domain/index.ts";
import {
  arrayNode,
  type JsonObject,
  member,
  nodeText,
  objectNode,
  parseJson,
} from "../../platform/json/index.ts";
import { LIKENESS } from "./likeness.ts";
import type { PlanFormat } from "./plan-format.ts";
import { readRecords } from "./records/read.ts";
import { NO_STATUS_BUT_DONE, type RecordShape } from "./records/shape.ts";

/** The issues that beads exports, one JSON object on each line. Its program keeps them in a database of its own. */
export const beads: PlanFormat<"beads"> = {
  name: "beads",
  weigh: (path, text) => {
    const [first = ""] = text
      .replace(/^\ufeff/, "")
      .trimStart()
      .split("\n", 1);
    const isIssue =
      /^\{.*"id"\s*:/.test(first) &&
      /"(?:issue_type|status)"\s*:/.test(first) &&
      first.trimEnd().endsWith("}");
    if (!isIssue || (!/\.jsonl$/i.test(path) && text.trim() === first.trim())) return LIKENESS.no;
    return LIKENESS.certainly;
  },
  read: readBeads,
};

const SHAPE: RecordShape = {
  name: "beads",
  about: "issues",
  listIn: (root) => {
    const tasks = arrayNode(root);
    return tasks && { tasks };
  },
  fields: {
    id: ["id"],
    title: ["title"],
    text: [
      ["description", ""],
      ["design", "Design"],
      ["acceptance_criteria", "Acceptance criteria"],
      ["notes", "Notes"],
    ],
    items: ["acceptance_criteria"],
    needs: ["dependencies"],
    parts: [],
    status: ["status"],
    priority: ["priority"],
  },
  statuses: new Map([
    ["open", "pending"],
    ["ready", "pending"],
    ["in progress", "in_progress"],
    ["closed", "completed"],
    ["blocked", "blocked"],
    ["deferred", "on_hold"],
    ["pinned", "on_hold"],
    ["hooked", "in_progress"],
    ["tombstone", "dropped"],
  ]),
  words: {},
  showing: NO_STATUS_BUT_DONE,
  isInOrder: false,
};

/** An epic is no work of its own: what waits for it waits for the issues that belong to it. */
function readBeads(text: string): Plan {
  const list = asList(text.replace(/^\ufeff/, ""));
  const children = new Map<string, string[]>();
  for (const issue of issuesIn(list))
    for (const { target, type } of linksOf(issue)) {
      const id = nodeText(member(issue, "id"));
      if (type === "parent-child" && id !== undefined)
        children.set(target, [...(children.get(target) ?? []), id]);
    }
  const isEpic = (issue: JsonObject): boolean =>
    nodeText(member(issue, "issue_type")) === "epic" && children.has(nodeText(member(issue, "id")) ?? "");
  const epics = new Set(
    issuesIn(list)
      .filter(isEpic)
      .map((issue) => nodeText(member(issue, "id")) ?? ""),
  );
  return readRecords(
    {
      ...SHAPE,
      fields: {
        ...SHAPE.fields,
        isNone: (issue) =>
          isEpic(issue) ? "It is an epic; the issues that belong to it are the steps." : undefined,
        needsOf: (issue) =>
          linksOf(issue)
            .filter(({ type }) => type === "blocks")
            .flatMap(({ target }) => (epics.has(target) ? (children.get(target) ?? []) : [target]))
            .slice(0, 1000),
      },
    },
    list,
  );
}

/** The lines as one list, each on the line that it had. */
function asList(text: string): string {
  let isFirst = true;
  const lines = text.split("\n").map((line) => {
    if (line.trim() === "") return "";
    const comma = isFirst ? "" : ",";
    isFirst = false;
    return `${comma}${line}`;
  });
  return `[${lines.join("\n")}]`;
}

function issuesIn(list: string): readonly JsonObject[] {
  try {
    return (arrayNode(parseJson(list))?.items ?? []).flatMap((item) => objectNode(item) ?? []);
  } catch {
    // Whoever reads the list says what is wrong with it.
    return [];
  }
}

const linksOf = (issue: JsonObject): readonly { readonly target: string; readonly type: string }[] =>
  (arrayNode(member(issue, "dependencies"))?.items ?? []).flatMap((item) => {
    const target = nodeText(member(objectNode(item), "depends_on_id"));
    const type = nodeText(member(objectNode(item), "type")) ?? "blocks";
    return target === undefined ? [] : [{ target, type }];
  });
