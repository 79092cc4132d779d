import type { Dependency, Plan, PlanItem, PlanStep, StepProgress } from "../../../domain/index.ts";
import { collectDiagnostics, quote } from "../diagnostics.ts";
import {
  arrayNode,
  BadJson,
  firstMember,
  type JsonNode,
  nodeId,
  nodeText,
  objectNode,
  parseJson,
  positionsIn,
} from "../../../platform/json/index.ts";
import { MAX_STEPS, titleLine } from "../plan-words.ts";
import { reportCycles } from "../report-cycles.ts";
import { reportDuplicateNames } from "../report-duplicate-names.ts";
import { DEPENDENCY_UNREAD } from "../shown-status.ts";
import { findRecords, type FoundRecords, partsIn, type RecordReading, type TaskRecord } from "./find.ts";
import type { RecordFields, RecordShape } from "./shape.ts";
import { inParagraphs, wordsBeside } from "./words.ts";
import { workOrder } from "./work-order.ts";

/** How the text of a file becomes JSON; lines of JSON are put together first. */
export type ParseRoot = (text: string) => JsonNode;

export function readRecords(shape: RecordShape, text: string, rootOf: ParseRoot = parseJson): Plan {
  const { report, all } = collectDiagnostics();
  const place = positionsIn(text);
  const reading: RecordReading = { text, place, report };
  let root: JsonNode | undefined;
  try {
    root = rootOf(text);
  } catch (error) {
    if (!(error instanceof BadJson)) throw error;
    report("plan/bad-json", place(error.offset), () => `This is no JSON: ${error.message}.`);
  }
  const list = root && shape.listIn(root);
  if (root && !list)
    report(
      "plan/not-a-plan",
      place(root.start),
      () => `It is read as ${shape.name}, and has no ${shape.about}.`,
    );
  if (root && shape.fields.needsOf === undefined) reportDuplicateNames(root, place, report);
  const { tasks, leftOut, dropped } = list ? findRecords(shape, list.tasks, reading) : NOTHING_FOUND;
  if (list && tasks.length === 0)
    report("plan/nothing-to-do", place(list.tasks.start), () => "No task in the list is left to do.");
  const excess = tasks[MAX_STEPS];
  if (excess) report("plan/too-many-steps", excess.place, () => `There are more than ${MAX_STEPS} tasks.`);
  const steps = stepsOf(shape, tasks.slice(0, excess ? 1000 : MAX_STEPS), dropped, reading);
  const title = list?.title;
  return {
    format: shape.name,
    title: title === undefined ? undefined : titleLine(title),
    metadata: [],
    steps: reportCycles(steps, report),
    context: list?.context ?? "",
    leftOut: [
      ...leftOut,
      ...(list?.others ?? []).map(({ name, node }) => ({
        line: place(node.start).line,
        text: name,
        why: "It is another list of the file.",
      })),
    ],
    diagnostics: all(),
  };
}

const NOTHING_FOUND: FoundRecords = { tasks: [], leftOut: [], dropped: new Set() };

function stepsOf(
  shape: RecordShape,
  tasks: readonly TaskRecord[],
  dropped: ReadonlySet<string>,
  reading: RecordReading,
): readonly PlanStep[] {
  const byId = new Map<string, TaskRecord>();
  for (const task of tasks) if (task.id !== undefined && !byId.has(task.id)) byId.set(task.id, task);
  const parts = new Map(tasks.flatMap((task) => task.parts.map((part) => [part.anchor, part] as const)));
  const substepsOf = (task: TaskRecord): readonly PlanStep[] => {
    const siblings = new Map(task.parts.map((part) => [part.id ?? "", part]));
    return task.parts.map((part) => {
      // A part names others of its task by their number, and any other by the whole of its id: `5.2`.
      const needs = needsOf(shape, part, reading).flatMap((id) => siblings.get(id) ?? parts.get(id) ?? []);
      const others = needs.filter((one) => one !== part);
      return stepOf(shape, part, edgesTo(part, others), [], reading);
    });
  };
  const find = (id: string) => byId.get(id) ?? parts.get(id) ?? byId.get(id.split(".", 1)[0]!);
  const follows = shape.isInOrder
    ? workOrder(tasks, (task) => needsOf(shape, task, reading).flatMap((id) => byId.get(id) ?? []))
    : undefined;
  return tasks.map((task) => {
    const substeps = task.parts.length === 0 ? [] : substepsOf(task);
    const edges = new Map<string, Dependency>();
    const before = follows?.get(task);
    if (before) edges.set(before.anchor, { anchor: before.anchor, line: task.place.line, implied: true });
    let isUnread = false;
    for (const id of needsOf(shape, task, reading)) {
      const target = find(id);
      if (target && target !== task) edges.set(target.anchor, edgesTo(task, [target])[0]!);
      else if (!target) {
        isUnread = true;
        reading.report(
          "plan/missing-task",
          task.place,
          () =>
            `${task.anchor} depends on ${quote(id)}, which ${dropped.has(id) ? "was dropped" : "is no task here"}.`,
        );
      }
    }
    return stepOf(shape, task, [...edges.values()], substeps, reading, isUnread);
  });
}

const edgesTo = ({ place }: TaskRecord, targets: readonly TaskRecord[]): readonly Dependency[] =>
  targets.map(({ anchor }) => ({ anchor, line: place.line }));

function needsOf({ fields }: RecordShape, { node }: TaskRecord, { text }: RecordReading): readonly string[] {
  if (fields.needsOf) return fields.needsOf(node, text);
  const list = arrayNode(firstMember(node, fields.needs));
  return (list?.items ?? []).flatMap((item) => nodeId(item, text) ?? []).slice(0, 1000);
}

function stepOf(
  shape: RecordShape,
  task: TaskRecord,
  dependsOn: readonly Dependency[],
  substeps: readonly PlanStep[],
  reading: RecordReading,
  isUnread = false,
): PlanStep {
  const open = substeps.filter(({ progress }) => progress?.status !== "completed").length;
  const contradicts = task.status === "completed" && open > 0;
  if (contradicts)
    reading.report(
      "plan/contradicting-status",
      task.place,
      () => `${task.anchor} is completed, but ${open} of its parts ${open === 1 ? "is" : "are"} not.`,
    );
  const status = contradicts ? "pending" : task.status;
  const isUnreadable = isUnread && task.status !== "completed";
  // No agent could complete it: a person decides about the part first.
  const stuck =
    status === "pending" || status === "in_progress"
      ? substeps.find(({ progress }) => progress?.status === "blocked" || progress?.status === "on_hold")
      : undefined;
  const progress: StepProgress = {
    status: isUnreadable || stuck ? "blocked" : status,
    reason: isUnreadable ? DEPENDENCY_UNREAD : undefined,
    note:
      stuck && !isUnreadable
        ? `${stuck.anchor} is ${stuck.progress?.status === "blocked" ? "blocked" : "held back"} in the plan file`
        : undefined,
    verificationAttempts: 0,
    updatedAt: undefined,
  };
  const items = itemsOf(shape, task, reading);
  return {
    anchor: task.anchor,
    title: titleLine(task.title),
    line: task.place.line,
    dependsOn,
    items,
    substeps,
    commit: undefined,
    references: undefined,
    ...saidBy(shape, task, items.length > 0),
    progress,
  };
}

/** Acceptance criteria and steps: texts, or records with a text. */
function itemsOf(
  { fields }: RecordShape,
  { node }: TaskRecord,
  { place }: RecordReading,
): readonly PlanItem[] {
  const held = firstMember(node, fields.items);
  const list =
    arrayNode(held)?.items ??
    (held ? linesOf(nodeText(held)).map((text) => ({ text, start: held.start })) : []);
  return list.slice(0, 1000).flatMap((item) => {
    const text = "text" in item ? item.text : (nodeText(item) ?? criterionIn(item));
    return text === undefined || text.trim() === ""
      ? []
      : [
          {
            kind: "task",
            text: titleLine(text.replace(/^- (?:\[[ xX]\] )?/, "")),
            line: place(item.start).line,
            box: "open",
          } as const,
        ];
  });
}

const linesOf = (text: string | undefined): readonly string[] =>
  (text ?? "")
    .split("\n")
    .filter((line) => /^\s*(?:[-*]|\d+[.)])\s/.test(line))
    .map((line) => line.trim());

const criterionIn = (item: JsonNode): string | undefined => {
  const node = objectNode(item);
  return node && nodeText(firstMember(node, ["criterion", "text", "description", "title"]));
};

/** The text of a task: what its format has names for, which is what it is known by, and behind that all else that it says. */
function saidBy(
  { fields }: RecordShape,
  { node }: TaskRecord,
  hasItems: boolean,
): Pick<PlanStep, "body" | "meaning"> {
  const meaning = inParagraphs(
    fields.text.map(([name, heading]) => [heading, firstMember(node, [name])] as const),
  );
  const others = wordsBeside(
    node,
    knownNames(fields),
    hasItems ? firstMember(node, fields.items) : undefined,
    fields.needsTrackedParts ? partsIn(fields, node) : undefined,
  );
  return others === ""
    ? { body: meaning }
    : { body: meaning === "" ? others : `${meaning}\n\n${others}`, meaning };
}

const known = new WeakMap<RecordFields, ReadonlySet<string>>();

/** The members that a format reads; of those that may hold items only one is, and parts are words where none has a status. */
function knownNames(fields: RecordFields): ReadonlySet<string> {
  const { id, title, text, needs, parts, needsTrackedParts, status, priority, unsaid = [] } = fields;
  const names =
    known.get(fields) ??
    new Set([
      ...id,
      ...title,
      ...text.map(([name]) => name),
      ...needs,
      ...(needsTrackedParts ? [] : parts),
      ...status,
      ...priority,
      ...unsaid,
    ]);
  known.set(fields, names);
  return names;
}
