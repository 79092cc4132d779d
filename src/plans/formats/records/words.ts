import {
  arrayNode,
  firstMember,
  type JsonArray,
  type JsonNode,
  type JsonObject,
  member,
  nodeText,
  objectNode,
} from "../../../platform/json/index.ts";
import type { RecordList } from "./shape.ts";

/** Values as paragraphs, each under its heading; empty ones and numbers say nothing. */
export const inParagraphs = (
  values: readonly (readonly [heading: string, value: JsonNode | undefined])[],
): string => {
  let all = "";
  for (const [heading, value] of values) {
    const said = value ? wordsIn(value).trim() : "";
    if (said !== "")
      all += `${all === "" ? "" : "\n\n"}${heading === "" ? "" : `**${heading}:**\n\n`}${said}`;
  }
  return all;
};

/** What a record says beside the members that are read: an agent that works on it should know all of it. */
export function wordsBeside(
  { members }: JsonObject,
  names: ReadonlySet<string>,
  ...read: readonly (JsonNode | undefined)[]
): string {
  const others = members.filter(
    ({ name, value }) => !names.has(name) && !read.includes(value) && !BOOKKEEPING.test(name),
  );
  return inParagraphs(others.map(({ name, value }) => [name, value] as const));
}

/** What a list of tasks is called, and what its file says beside it. */
export function aboutList(root: JsonNode, tasks: JsonArray): Pick<RecordList, "title" | "context"> {
  const object = objectNode(root);
  if (!object) return {};
  const named = firstMember(object, ["project", "projectName", "project_name", "feature", "name", "title"]);
  const description = member(object, "description");
  const details = objectNode(named);
  return {
    title: nodeText(details ? member(details, "name") : named),
    context: [
      inParagraphs([["", description]]),
      wordsBeside(object, NONE, tasks, description, details ? undefined : named),
    ]
      .filter(Boolean)
      .join("\n\n"),
  };
}

const NONE: ReadonlySet<string> = new Set();

/** What programs note for themselves; an agent that reads of a branch might switch to it. */
const BOOKKEEPING =
  /branch|commit|hash|status|session|version|schema|assignee|owner|created|updated|(?:_at|At|_by|By|[Dd]ate)$/;

const DEEPEST = 4;

/** A text as it is, a list as a list, a record as `name: text`; numbers only inside of those. */
function wordsIn(node: JsonNode, depth = 0): string {
  const text = nodeText(node);
  if (text !== undefined) return text;
  if (depth === DEEPEST) return "";
  const list = arrayNode(node);
  if (list)
    return list.items
      .map((item) => wordsIn(item, depth + 1).trim())
      .filter(Boolean)
      .map((said) => `- ${said.replaceAll("\n", "\n  ")}`)
      .join("\n");
  if (node.type !== "object")
    return depth > 0 && "value" in node && node.value !== null ? String(node.value) : "";
  return node.members
    .flatMap(({ name, value }) => {
      const said = wordsIn(value, depth + 1).trim();
      return said === "" ? [] : [`${name}: ${said.replaceAll("\n", "\n  ")}`];
    })
    .join("\n");
}
