import { quote, type Report } from "../diagnostics.ts";
import {
  arrayNode,
  firstMember,
  type JsonNode,
  type JsonObject,
  member,
  nodeId,
  nodeText,
  objectNode,
  type SourcePosition,
} from "../../../platform/json/index.ts";
import { nameSteps } from "../name-steps.ts";
import { anchorFor } from "../plan-words.ts";
import { CHILD_IDS, CHILD_TITLES, CHILDREN, DEPENDENCIES, PHASE_IDS, PHASE_TITLES } from "./words.ts";

/** The phases of a plan and what is in them, before anything is linked. */
export interface Phase {
  readonly node: JsonObject;
  /** Every name by which others may refer to it: id, number, position. */
  readonly names: readonly string[];
  readonly title: string;
  /** What its author calls it; empty for one that only has its place. */
  readonly section: string;
  /** Undefined when the phase does not say. */
  readonly dependsOn: readonly SubtaskReference[] | undefined;
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
  readonly dependsOn: readonly SubtaskReference[];
}

export interface SubtaskReference {
  readonly text: string;
  readonly offset: number;
}

export interface Reading {
  readonly text: string;
  readonly place: (offset: number) => SourcePosition;
  readonly report: Report;
}

export function outlinePhases(root: JsonObject, reading: Reading): readonly Phase[] {
  const list = arrayNode(member(root, "phases"));
  if (!list) return withNames([wholePlan(root, reading)], reading);
  const phases: Phase[] = [];
  for (const [index, node] of list.items.entries()) {
    const object = objectNode(node);
    if (object) phases.push(phaseOf(object, index, reading));
    else wrongType(reading, node, "A phase is no object");
  }
  return withNames(phases, reading);
}

/** Subtasks that stand in no phase are one phase: they follow one another. */
const wholePlan = (root: JsonObject, reading: Reading): Phase => ({
  node: root,
  names: [],
  title: "",
  section: "",
  dependsOn: [],
  isParallel: false,
  children: childrenOf(root, reading),
});

/** Whether a plan has subtasks of its own, without phases. `tasks` and `steps` at the top are of other formats. */
export const hasTopLevelSubtasks = (root: JsonObject): boolean =>
  ["subtasks", "chunks"].some((name) =>
    arrayNode(member(root, name))?.items.some((item) => item.type === "object"),
  );

/** A subtask without an id is known by its words and its phase, never by its place: that changes with the others. */
function withNames(phases: readonly Phase[], { report, place }: Reading): readonly Phase[] {
  const all = phases.flatMap((phase) => phase.children.map((child) => ({ phase, child })));
  const nameless = all.filter(({ child }) => child.id === undefined);
  if (nameless.length === 0) return phases;
  const taken = new Set(all.filter(({ child }) => child.id !== undefined).map(({ child }) => child.anchor));
  const { anchors, repeated } = nameSteps(
    nameless.map(({ phase, child: { node } }) => {
      const words = [...CHILD_TITLES, "description"].map((name) => nodeText(member(node, name)));
      const title = words.find((text) => text !== undefined && text.trim() !== "") ?? "subtask";
      return { id: undefined, section: phase.section, title, whole: JSON.stringify(words) };
    }),
    taken,
  );
  const names = new Map(nameless.map(({ child }, index) => [child, anchors[index]!]));
  for (const [index, { child }] of nameless.entries()) {
    const before = repeated.get(index);
    if (before === undefined)
      report(
        "plan/default-id",
        place(child.node.start),
        () => `A subtask has no id; it is called ${anchors[index]} here.`,
      );
    else
      report(
        "plan/repeated-step",
        place(child.node.start),
        () =>
          `A subtask without an id says the same as the one in line ${place(nameless[before]!.child.node.start).line}.`,
      );
  }
  return phases.map((phase) => ({
    ...phase,
    children: phase.children.map((child) => ({ ...child, anchor: names.get(child) ?? child.anchor })),
  }));
}

function phaseOf(node: JsonObject, index: number, reading: Reading): Phase {
  const { text } = reading;
  const position = String(index + 1);
  const ids = PHASE_IDS.map((name) => nodeId(member(node, name), text)).filter((id) => id !== undefined);
  if (ids.length === 0)
    reading.report("plan/default-id", reading.place(node.start), () => `Phase ${position} has no id.`);
  const depends = firstMember(node, DEPENDENCIES);
  const parallel = member(node, "parallel_safe");
  const called = nodeText(firstMember(node, PHASE_TITLES)) ?? ids[0];
  return {
    node,
    names: ids.length === 0 ? [position] : ids,
    title: called ?? `Phase ${position}`,
    section: called ?? "",
    dependsOn: depends && references(depends, reading),
    isParallel: parallel?.type === "boolean" && parallel.value,
    children: childrenOf(node, reading),
  };
}

function childrenOf(phase: JsonObject, reading: Reading): readonly Child[] {
  const { text } = reading;
  const listName = CHILDREN.find((name) => arrayNode(member(phase, name)) !== undefined);
  const list = listName === undefined ? undefined : arrayNode(member(phase, listName));
  if (!list || listName === undefined) return [];
  const children: Child[] = [];
  for (const item of list.items) {
    const node = objectNode(item);
    if (!node) {
      wrongType(reading, item, "A subtask is no object");
      continue;
    }
    const id = nodeId(firstMember(node, CHILD_IDS), text);
    const depends = firstMember(node, DEPENDENCIES);
    children.push({
      node,
      listName,
      anchor: anchorFor(id ?? "subtask", "subtask"),
      id,
      dependsOn: depends ? references(depends, reading) : [],
    });
  }
  return children;
}

/** A list of ids, or one of them alone. */
function references(node: JsonNode, reading: Reading): readonly SubtaskReference[] {
  const items = node.type === "array" ? node.items : [node];
  return items.flatMap((item) => {
    const id = nodeId(item, reading.text);
    if (id !== undefined) return [{ text: id, offset: item.start }];
    if (item.type !== "null") wrongType(reading, item, "A dependency is neither text nor a number");
    return [];
  });
}

function wrongType({ report, place, text }: Reading, node: JsonNode, what: string): void {
  report("plan/wrong-type", place(node.start), () => `${what}: ${quote(text.slice(node.start, node.end))}.`);
}
