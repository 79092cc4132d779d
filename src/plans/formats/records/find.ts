import type { FoundStatus, LeftOut } from "../../../domain/index.ts";
import { quote, type Report } from "../diagnostics.ts";
import {
  arrayNode,
  firstMember,
  type JsonArray,
  type JsonNode,
  type JsonObject,
  nodeId,
  nodeText,
  objectNode,
  type SourcePosition,
} from "../../../platform/json/index.ts";
import { nameSteps } from "../name-steps.ts";
import { anchorFor, MAX_STEPS } from "../plan-words.ts";
import { statusNamed } from "../shown-status.ts";
import type { RecordShape } from "./shape.ts";

/** A task of a list of records. */
export interface TaskRecord {
  readonly node: JsonObject;
  readonly anchor: string;
  /** What others call it. */
  readonly id: string | undefined;
  readonly title: string;
  readonly status: FoundStatus;
  readonly parts: readonly TaskRecord[];
  readonly place: SourcePosition;
}

export interface FoundRecords {
  readonly tasks: readonly TaskRecord[];
  readonly leftOut: readonly LeftOut[];
  /** Ids of tasks that were dropped. */
  readonly dropped: ReadonlySet<string>;
}

export interface RecordReading {
  readonly text: string;
  readonly place: (offset: number) => SourcePosition;
  readonly report: Report;
}

type Raw = Omit<TaskRecord, "anchor" | "parts"> & { readonly parts: readonly Raw[] };

/** Finds the tasks and names them; the same for the reader and the writer. */
export function findRecords(shape: RecordShape, list: JsonArray, reading: RecordReading): FoundRecords {
  const leftOut: LeftOut[] = [];
  const dropped = new Set<string>();
  const raws = rawsIn(shape, list, reading, { leftOut, dropped });
  const byPriority = shape.fields.priority.length === 0 ? raws : inPriority(shape, raws, reading.text);
  const { anchors, repeated } = nameSteps(
    byPriority.map(({ id, title, node }) => ({
      id,
      section: "",
      title,
      whole: id === undefined ? reading.text.slice(node.start, node.end) : title,
    })),
  );
  const tasks = byPriority.map((raw, index) => {
    if (repeated.has(index))
      reading.report(
        "plan/duplicate-id",
        raw.place,
        () => `${quote(raw.id ?? raw.title)} stands here a second time.`,
      );
    else if (raw.id !== undefined && anchors[index] !== anchorFor(raw.id, "step"))
      reading.report(
        "plan/repeated-id",
        raw.place,
        () => `Several tasks have the id ${quote(raw.id!)}; this one is called ${anchors[index]} here.`,
      );
    return named(raw, anchors[index]!);
  });
  return { tasks, leftOut, dropped };
}

/** Parts are called after their task: `2.1` is part 1 of task 2, whether its id is `1` or `2.1`. */
function named(raw: Raw, anchor: string): TaskRecord {
  if (raw.parts.length === 0) return withName(raw, anchor, NO_PARTS);
  const taken = new Set<string>();
  return withName(
    raw,
    anchor,
    raw.parts.map((part, index) => {
      const own = part.id?.startsWith(`${anchor}.`) ? part.id : `${anchor}.${part.id ?? index + 1}`;
      const name = taken.has(own) ? `${own}-${index + 1}` : own;
      taken.add(name);
      return withName(part, name, NO_PARTS);
    }),
  );
}

const NO_PARTS: readonly TaskRecord[] = [];

/** Written out: a copy that is spread takes several times as long. */
const withName = (
  { node, id, title, status, place }: Raw,
  anchor: string,
  parts: readonly TaskRecord[],
): TaskRecord => ({ node, anchor, id, title, status, parts, place });

function rawsIn(
  shape: RecordShape,
  { items }: JsonArray,
  reading: RecordReading,
  beside: { readonly leftOut: LeftOut[]; readonly dropped: Set<string> },
): readonly Raw[] {
  const { fields, statuses } = shape;
  const { text, place, report } = reading;
  const found: Raw[] = [];
  for (const item of items.slice(0, MAX_STEPS + 1)) {
    const node = objectNode(item);
    if (!node) {
      report("plan/wrong-type", place(item.start), () => "This is no task.");
      continue;
    }
    const id = nodeId(firstMember(node, fields.id), text);
    const title = nodeText(firstMember(node, fields.title)) ?? id ?? "Untitled";
    const at = place(node.start);
    const status = statusOf(firstMember(node, fields.status), statuses, {
      id: id ?? title,
      text,
      place,
      report,
    });
    const why = fields.isNone?.(node) ?? (status === "dropped" ? "It was dropped." : undefined);
    if (why !== undefined || status === "dropped") {
      beside.leftOut.push({ line: at.line, text: title, why: why ?? "It was dropped." });
      if (status === "dropped" && id !== undefined) beside.dropped.add(id);
      continue;
    }
    if (fields.beside) reportBeside(fields, node, { id: id ?? title, status, reading });
    const parts = partsIn(fields, node);
    found.push({
      node,
      id,
      title,
      status,
      place: at,
      parts: parts ? rawsIn(shape, parts, reading, beside) : [],
    });
  }
  return found;
}

/** The parts of a task that have a status of their own. */
export function partsIn(fields: RecordShape["fields"], node: JsonObject): JsonArray | undefined {
  if (fields.parts.length === 0) return undefined;
  const parts = arrayNode(firstMember(node, fields.parts));
  const isTracked = (item: JsonNode): boolean => {
    const part = objectNode(item);
    return part !== undefined && firstMember(part, fields.status) !== undefined;
  };
  return parts && (!fields.needsTrackedParts || parts.items.every(isTracked)) ? parts : undefined;
}

function reportBeside(
  { beside, status: own }: RecordShape["fields"],
  node: JsonObject,
  {
    id,
    status,
    reading,
  }: { readonly id: string; readonly status: FoundStatus; readonly reading: RecordReading },
): void {
  const said = firstMember(node, beside!.names);
  const known = said && statusNamed(beside!.statuses, nodeText(said) ?? "");
  if (known === undefined || (known === "completed") === (status === "completed")) return;
  reading.report(
    "plan/two-statuses",
    reading.place(said!.start),
    () =>
      `${quote(id)} counts as ${status === "completed" ? "completed" : "open"} by its ${quote(own[0]!)}; its status ${quote(nodeText(said)!)} says otherwise.`,
  );
}

interface Named extends RecordReading {
  readonly id: string;
}

function statusOf(
  node: JsonNode | undefined,
  statuses: RecordShape["statuses"],
  { id, text, place, report }: Named,
): FoundStatus | "dropped" {
  if (!node) return "pending";
  const word = node.type === "boolean" ? text.slice(node.start, node.end) : (nodeText(node) ?? "");
  const known = statusNamed(statuses, word);
  if (known === undefined)
    report("plan/unknown-status", place(node.start), () => `${quote(id)} has the status ${quote(word)}.`);
  return known ?? "on_hold";
}

const PRIORITIES: ReadonlyMap<string, number> = new Map([
  ["critical", 0],
  ["highest", 0],
  ["high", 1],
  ["medium", 2],
  ["normal", 2],
  ["low", 3],
  ["lowest", 4],
]);

/** The most important first; of equal ones, as they are listed. What has no priority comes in the middle. */
function inPriority({ fields }: RecordShape, raws: readonly Raw[], text: string): readonly Raw[] {
  const rank = ({ node }: Raw): number => {
    const value = firstMember(node, fields.priority);
    if (!value) return 2;
    const number = Number(text.slice(value.start, value.end));
    return Number.isFinite(number) ? number : (PRIORITIES.get((nodeText(value) ?? "").toLowerCase()) ?? 2);
  };
  const ranked = raws.map((raw) => ({ raw, rank: rank(raw) }));
  return ranked.toSorted((a, b) => a.rank - b.rank).map(({ raw }) => raw);
}
