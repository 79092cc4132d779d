import { quote, type Report } from "./diagnostics.ts";
import type { JsonNode, JsonObject, SourcePosition } from "../../platform/json/index.ts";

/** Reports names that an object has twice. Most programs keep the last and say nothing. */
export function reportDuplicateNames(
  root: JsonNode,
  place: (offset: number) => SourcePosition,
  report: Report,
): void {
  const open: JsonNode[] = [root];
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.type === "array") for (const item of node.items) if (isNested(item)) open.push(item);
    if (node.type !== "object") continue;
    for (const { value } of node.members) if (isNested(value)) open.push(value);
    reportIn(node, place, report);
  }
}

const isNested = ({ type }: JsonNode): boolean => type === "object" || type === "array";

function reportIn({ members }: JsonObject, place: (offset: number) => SourcePosition, report: Report): void {
  if (!hasTwins(members)) return;
  const seen = new Set<string>();
  for (const { name, nameStart } of members) {
    if (seen.has(name))
      report(
        "plan/duplicate-name",
        place(nameStart),
        () => `The name ${quote(name)} stands here a second time.`,
      );
    seen.add(name);
  }
}

/** Nearly every object has few members, and none of them twice; comparing them is quicker than making a set. */
const hasTwins = (members: JsonObject["members"]): boolean =>
  members.length > 20 || members.some(({ name }, index) => isAgain(members, name, index));

function isAgain(members: JsonObject["members"], name: string, end: number): boolean {
  for (let index = 0; index < end; index += 1) if (members[index]!.name === name) return true;
  return false;
}
