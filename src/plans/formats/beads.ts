import type { Plan } from "../../domain/index.ts";
import {
  arrayNode,
  BadJson,
  type JsonArray,
  type JsonObject,
  member,
  nodeText,
  objectNode,
  parseJsonLines,
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
  let root: JsonArray | undefined;
  const rootOf = () => (root ??= parseJsonLines(text));
  const issues = issuesIn(rootOf);
  const children = new Map<string, string[]>();
  const linked = new Map(issues.map((issue) => [issue, linksOf(issue)]));
  for (const [issue, links] of linked)
    for (const { target, type } of links) {
      const id = type === "parent-child" ? nodeText(member(issue, "id")) : undefined;
      if (id === undefined) continue;
      const others = children.get(target);
      if (others) others.push(id);
      else children.set(target, [id]);
    }
  const byId = new Map(issues.map((issue) => [nodeText(member(issue, "id")) ?? "", issue]));
  const isEpic = (issue: JsonObject): boolean =>
    EPICS.has(typeOf(issue)) && children.has(nodeText(member(issue, "id")) ?? "");
  const epics = new Set(issues.filter(isEpic).map((issue) => nodeText(member(issue, "id")) ?? ""));
  /** What an issue waits for, and what it belongs to waits for. */
  const needsOf = (issue: JsonObject, left = DEEPEST): readonly string[] =>
    (linked.get(issue) ?? []).flatMap(({ target, type }) => {
      if (type === "waits-for") return children.get(target) ?? [target];
      if (type === "blocks") return epics.has(target) ? (children.get(target) ?? []) : [target];
      const parent = type === "parent-child" && left > 0 ? byId.get(target) : undefined;
      return parent ? needsOf(parent, left - 1) : [];
    });
  return readRecords(
    {
      ...SHAPE,
      fields: {
        ...SHAPE.fields,
        isNone: (issue) =>
          isEpic(issue)
            ? "It is an epic; the issues that belong to it are the steps."
            : whyNoWork(issue, linked.get(issue) ?? []),
        needsOf: (issue) => {
          const needs = needsOf(issue);
          return needs.length < 2 ? needs : [...new Set(needs)].slice(0, 1000);
        },
      },
    },
    text,
    rootOf,
  );
}

/** Epics may belong to each other; this deep, and no deeper, also where they do so in a circle. */
const DEEPEST = 8;

const EPICS: ReadonlySet<string> = new Set(["epic", "molecule"]);

/** What agents of beads tell each other and note about themselves. */
const NO_WORK: ReadonlySet<string> = new Set("message event agent role rig convoy slot gate".split(" "));

const typeOf = (issue: JsonObject): string => nodeText(member(issue, "issue_type")) ?? "task";

function whyNoWork(issue: JsonObject, links: ReturnType<typeof linksOf>): string | undefined {
  const fallback = links.find(({ type }) => type === "conditional-blocks");
  if (fallback) return `It is done only if ${fallback.target} fails.`;
  if (NO_WORK.has(typeOf(issue))) return `It is no work: its type is ${typeOf(issue)}.`;
  const template = member(issue, "is_template");
  return template?.type === "boolean" && template.value ? "It is a template." : undefined;
}

function issuesIn(rootOf: () => JsonArray): readonly JsonObject[] {
  try {
    return rootOf().items.flatMap((item) => objectNode(item) ?? []);
  } catch (error) {
    if (!(error instanceof BadJson)) throw error;
    // The reader of the list reports what is wrong with it.
    return [];
  }
}

const NO_LINKS: readonly { readonly target: string; readonly type: string }[] = [];

const linksOf = (issue: JsonObject): typeof NO_LINKS => {
  const items = arrayNode(member(issue, "dependencies"))?.items ?? [];
  return items.length === 0
    ? NO_LINKS
    : items.flatMap((item) => {
        const target = nodeText(member(objectNode(item), "depends_on_id"));
        const type = nodeText(member(objectNode(item), "type")) ?? "blocks";
        return target === undefined ? [] : [{ target, type }];
      });
};
