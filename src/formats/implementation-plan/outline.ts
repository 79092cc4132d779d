import { type Place, quote, type Report } from "../diagnostics.ts";
import { asArray, asId, asObject, asText, firstMember, member } from "../json/look.ts";
import type { JsonNode, JsonObject } from "../json/parse-json.ts";
import { anchorFor } from "../plan-words.ts";
import { CHILD_IDS, CHILDREN, DEPENDENCIES, PHASE_IDS, PHASE_TITLES } from "./words.ts";

/** The phases of a plan and what is in them, before anything is linked. */
export interface Phase {
  readonly node: JsonObject;
  /** Every name by which others may refer to it: id, number, position. */
  readonly names: readonly string[];
  readonly title: string;
  /** Undefined when the phase does not say. */
  readonly dependsOn: readonly Reference[] | undefined;
  readonly isParallel: boolean;
  readonly children: readonly Child[];
}

export interface Child {
  readonly node: JsonObject;
  /** Under which name the list of children stands: `subtasks`, `chunks` … */
  readonly listName: string;
  readonly anchor: string;
  /** The id as it stands in the file; undefined when there is none. */
  readonly id: string | undefined;
  readonly dependsOn: readonly Reference[];
}

export interface Reference {
  readonly text: string;
  readonly offset: number;
}

export interface Reading {
  readonly text: string;
  readonly place: (offset: number) => Place;
  readonly report: Report;
}

export function outline(root: JsonObject, reading: Reading): readonly Phase[] {
  const list = asArray(member(root, "phases"));
  const phases: Phase[] = [];
  for (const [index, node] of (list?.items ?? []).entries()) {
    const object = asObject(node);
    if (object) phases.push(phaseOf(object, index, reading));
    else wrongType(reading, node, "A phase is no object");
  }
  return phases;
}

function phaseOf(node: JsonObject, index: number, reading: Reading): Phase {
  const { text } = reading;
  const position = String(index + 1);
  const ids = PHASE_IDS.map((name) => asId(member(node, name), text)).filter((id) => id !== undefined);
  if (ids.length === 0)
    reading.report("plan/default-id", reading.place(node.start), () => `Phase ${position} has no id.`);
  const depends = firstMember(node, DEPENDENCIES);
  const parallel = member(node, "parallel_safe");
  return {
    node,
    names: ids.length === 0 ? [position] : ids,
    title: asText(firstMember(node, PHASE_TITLES)) ?? ids[0] ?? `Phase ${position}`,
    dependsOn: depends && references(depends, reading),
    isParallel: parallel?.type === "boolean" && parallel.value,
    children: childrenOf(node, position, reading),
  };
}

function childrenOf(phase: JsonObject, position: string, reading: Reading): readonly Child[] {
  const { report, place, text } = reading;
  const listName = CHILDREN.find((name) => asArray(member(phase, name)) !== undefined);
  const list = listName === undefined ? undefined : asArray(member(phase, listName));
  if (!list || listName === undefined) return [];
  const children: Child[] = [];
  for (const [index, item] of list.items.entries()) {
    const node = asObject(item);
    if (!node) {
      wrongType(reading, item, "A subtask is no object");
      continue;
    }
    const id = asId(firstMember(node, CHILD_IDS), text);
    const byPlace = `subtask-${position}-${index + 1}`;
    if (id === undefined)
      report(
        "plan/default-id",
        place(node.start),
        () => `A subtask has no id; it is called ${byPlace} here.`,
      );
    const depends = firstMember(node, DEPENDENCIES);
    children.push({
      node,
      listName,
      anchor: anchorFor(id ?? byPlace, byPlace),
      id,
      dependsOn: depends ? references(depends, reading) : [],
    });
  }
  return children;
}

/** A list of ids, or one of them alone. */
function references(node: JsonNode, reading: Reading): readonly Reference[] {
  const items = node.type === "array" ? node.items : [node];
  return items.flatMap((item) => {
    const id = asId(item, reading.text);
    if (id !== undefined) return [{ text: id, offset: item.start }];
    if (item.type !== "null") wrongType(reading, item, "A dependency is neither text nor a number");
    return [];
  });
}

function wrongType({ report, place, text }: Reading, node: JsonNode, what: string): void {
  report("plan/wrong-type", place(node.start), () => `${what}: ${quote(text.slice(node.start, node.end))}.`);
}
