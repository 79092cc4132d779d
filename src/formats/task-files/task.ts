import type { StepProgress } from "../../domain/plan.ts";
import { type Place, quote, type Report } from "../diagnostics.ts";
import { asArray, asId, asObject, asText, firstMember, member } from "../json/look.ts";
import type { JsonNode, JsonObject } from "../json/parse-json.ts";
import { anchorFor, oneLine } from "../plan-words.ts";
import { statusNamed } from "../shown-status.ts";
import { newestTag, notesOf } from "./notes.ts";
import { isOwnWord, TASK_STATUSES, type TaskStatus } from "./words.ts";

/** One task file, or one subtask inside it, read for itself. */
export interface Task {
  readonly node: JsonObject;
  /** What it is called in the plan: the file's name without its ending, or the id of an inner subtask. */
  readonly anchor: string;
  /** The value of the id, without prefix and leading zeros: files and references spell it differently. */
  readonly key: string;
  readonly title: string;
  readonly status: TaskStatus | undefined;
  readonly progress: StepProgress;
  readonly body: string;
  readonly parent: string | undefined;
  readonly dependencies: readonly Mention[];
  /** Subtasks that are files of their own. */
  readonly childKeys: readonly string[];
  /** Subtasks that are written inside this file. */
  readonly inner: readonly Task[];
  readonly at: Place;
}

/** A dependency as it is written. */
export interface Mention {
  readonly text: string;
  readonly at: Place;
}

export interface TaskReading {
  readonly text: string;
  readonly place: (offset: number) => Place;
  readonly report: Report;
}

/** `task-006_3`, `006_3` and `6_3` are one task. */
export const keyOf = (id: string): string =>
  id
    .trim()
    .toLowerCase()
    .replace(/^task[-_ ]?/, "")
    .replace(/\.json$/, "")
    .replace(/\d+/g, (digits) => digits.replace(/^0+(?=\d)/, ""))
    .replace(/[-_.]+/g, "_");

export const TASK_IDS = ["id", "task_id"] as const;

export function taskOf(node: JsonObject, anchor: string, reading: TaskReading): Task {
  const { text, place } = reading;
  const notes = notesOf(member(node, "notes"));
  const statusNode = member(node, "status");
  const status = statusOf(statusNode, reading);
  const subtasks = asArray(member(node, "subtasks"))?.items ?? [];
  return {
    node,
    anchor,
    key: keyOf(asId(firstMember(node, TASK_IDS), text) ?? anchor),
    title: oneLine(asText(member(node, "title")) ?? anchor),
    status,
    progress: progressOf(node, status, notes),
    body: bodyOf(node),
    parent: parentOf(node, text),
    dependencies: mentionsOf(member(node, "dependencies"), reading),
    childKeys: subtasks.flatMap((item) => {
      const id = asId(item, text);
      return id === undefined ? [] : [keyOf(id)];
    }),
    inner: subtasks.flatMap((item, index) => {
      const object = asObject(item);
      if (!object) return [];
      const id = asId(firstMember(object, TASK_IDS), text) ?? `${anchor}-${index + 1}`;
      return [taskOf(object, anchorFor(id, `${anchor}-${index + 1}`), reading)];
    }),
    at: place(node.start),
  };
}

const parentOf = (node: JsonObject, text: string): string | undefined => {
  const id = asId(firstMember(node, ["parent_task", "parent_id"]), text);
  return id === undefined ? undefined : keyOf(id);
};

/** A missing status is pending; a word that nobody knows is undefined. */
export function statusOf(node: JsonNode | undefined, reading?: TaskReading): TaskStatus | undefined {
  const pending = TASK_STATUSES.get("pending")!;
  if (!node || node.type === "null") return pending;
  const text = node.type === "string" ? (node.value as string) : undefined;
  if (text?.trim() === "") return pending;
  const status = text === undefined ? undefined : statusNamed(TASK_STATUSES, text);
  if (!status) {
    reading?.report("plan/unknown-status", reading.place(node.start), () =>
      text === undefined ? "A status is no text." : `The status ${quote(text)} is not known.`,
    );
  } else if (!isOwnWord(status)) {
    reading?.report(
      "plan/other-word",
      reading.place(node.start),
      () => `The status ${quote(text!)} is read as ${status.means}.`,
    );
  }
  return status;
}

function progressOf(
  node: JsonObject,
  status: TaskStatus | undefined,
  notes: readonly string[],
): StepProgress {
  const means = status === undefined ? "on_hold" : status.means === "broken_down" ? "pending" : status.means;
  const tag = means === "blocked" ? newestTag(notes) : undefined;
  const attempts = member(node, "verification_attempts");
  return {
    status: means,
    reason: tag?.reason,
    note: noteOf(node, status, tag?.note),
    verificationAttempts:
      attempts?.type === "number" && Number.isInteger(attempts.value)
        ? Math.min(Math.max(attempts.value as number, 0), 1000)
        : 0,
    updatedAt: asText(member(node, "updated_date")),
  };
}

function noteOf(
  node: JsonObject,
  status: TaskStatus | undefined,
  tagged: string | undefined,
): string | undefined {
  if (tagged) return tagged;
  if (status?.word === "Absorbed")
    return `absorbed into ${asText(member(node, "absorbed_into")) ?? "another task"}`;
  return status?.means === "on_hold" ? asText(member(node, "on_hold_reason")) : undefined;
}

/** The words of the file for whoever does the work: no status, no history, no time. */
function bodyOf(node: JsonObject): string {
  const parts = [asText(member(node, "description"))];
  for (const [name, label] of [
    ["owner", "Owner"],
    ["phase", "Phase"],
  ] as const) {
    const value = asText(member(node, name));
    if (value !== undefined) parts.push(`${label}: ${value}`);
  }
  for (const [name, label] of [
    ["acceptanceCriteria", "Acceptance criteria"],
    ["acceptance_criteria", "Acceptance criteria"],
    ["requirements", "Requirements"],
    ["files_affected", "Files affected"],
  ] as const) {
    const values = (asArray(member(node, name))?.items ?? []).flatMap((item) => asText(item) ?? []);
    if (values.length > 0) parts.push(`${label}:\n${values.map((value) => `- ${value}`).join("\n")}`);
  }
  return parts.filter((part) => part !== undefined).join("\n\n");
}

function mentionsOf(node: JsonNode | undefined, { text, place, report }: TaskReading): readonly Mention[] {
  if (!node || node.type === "null") return [];
  const items = node.type === "array" ? node.items : [node];
  return items.flatMap((item) => {
    const written = asId(item, text) ?? idInside(item, text);
    if (written !== undefined) return [{ text: written, at: place(item.start) }];
    if (item.type !== "null" && item.type !== "string")
      report("plan/wrong-type", place(item.start), () => "A dependency is neither text nor a number.");
    return [];
  });
}

const idInside = (item: JsonNode, text: string): string | undefined => {
  const object = asObject(item);
  return object && asId(firstMember(object, TASK_IDS), text);
};
