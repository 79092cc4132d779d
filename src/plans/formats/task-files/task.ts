import type { StepProgress } from "../../../domain/index.ts";
import { quote } from "../diagnostics.ts";
import {
  isPlainObject,
  type JsonPath,
  own,
  plainList,
  type PlainObject,
  plainText,
  type SourcePosition,
} from "../../../platform/json/index.ts";
import { titleLine } from "../plan-words.ts";
import { statusNamed } from "../shown-status.ts";
import { type Mention, mentionsOf } from "./mentions.ts";
import { newestTag, notesIn } from "./notes.ts";
import { anchorOfInner, jsonPathTo, firstId, idOf, keyOf, TASK_IDS } from "./task-ids.ts";
import { type TaskReading, within } from "./task-reading.ts";
import { stepStatusOf, isOwnWord, TASK_STATUSES, type TaskStatus } from "./words.ts";

/** One task file, or one subtask inside it, read for itself. */
export interface Task {
  /** What it is called in the plan: the file's name without its ending, or the id of an inner subtask. */
  readonly anchor: string;
  /** The id as it is written; undefined when there is none. */
  readonly id: string | undefined;
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
  readonly at: SourcePosition;
}

export function taskOf(value: PlainObject, anchor: string, reading: TaskReading, path: JsonPath = TOP): Task {
  const status = statusOf(own(value, "status"));
  reportStatus(own(value, "status"), status, reading, path);
  const id = firstId(value, TASK_IDS, reading, path);
  const subtasks = within(plainList(own(value, "subtasks")), "inner", reading, path);
  return {
    anchor,
    id,
    key: keyOf(id ?? anchor),
    title: titleLine(plainText(own(value, "title")) ?? anchor),
    status,
    progress: progressOf(value, status),
    body: bodyOf(value),
    parent: parentOf(value, reading, path),
    dependencies: mentionsOf(own(value, "dependencies"), reading, path),
    childKeys: subtasks.length === 0 ? NONE : childKeysOf(subtasks, reading, path),
    inner: subtasks.length === 0 ? NONE : innerOf(subtasks, anchor, reading, path),
    at: reading.places.of(path),
  };
}

const TOP: JsonPath = [];
const NONE: readonly never[] = [];

const childKeysOf = (subtasks: readonly unknown[], reading: TaskReading, path: JsonPath): readonly string[] =>
  subtasks.flatMap((item, index) => {
    if (isPlainObject(item)) return [];
    const child = idOf(item, reading, path, "subtasks", index);
    return child === undefined ? [] : [keyOf(child)];
  });

const innerOf = (
  subtasks: readonly unknown[],
  anchor: string,
  reading: TaskReading,
  path: JsonPath,
): readonly Task[] =>
  subtasks.flatMap((item, index) => {
    if (!isPlainObject(item)) return [];
    const where = [...path, "subtasks", index];
    const id = firstId(item, TASK_IDS, reading, where);
    return [taskOf(item, anchorOfInner(id, anchor, index), reading, where)];
  });

function parentOf(value: PlainObject, reading: TaskReading, path: JsonPath): string | undefined {
  const id = firstId(value, PARENT_IDS, reading, path);
  return id === undefined ? undefined : keyOf(id);
}

const PARENT_IDS = ["parent_task", "parent_id"] as const;

/** A missing status is pending; an unknown word is undefined. */
export function statusOf(value: unknown): TaskStatus | undefined {
  if (value === undefined || value === null) return PENDING;
  if (typeof value !== "string") return undefined;
  return value.trim() === "" ? PENDING : statusNamed(TASK_STATUSES, value);
}

const PENDING = TASK_STATUSES.get("pending")!;

function reportStatus(
  value: unknown,
  status: TaskStatus | undefined,
  { report, places }: TaskReading,
  path: JsonPath,
): void {
  if (status && isOwnWord(status)) return;
  const name = status ? "plan/other-word" : "plan/unknown-status";
  report(name, places.of(jsonPathTo(path, "status", undefined)), () => {
    if (typeof value !== "string") return "A status is no text.";
    return status
      ? `The status ${quote(value)} is read as ${status.means}.`
      : `The status ${quote(value)} is not known.`;
  });
}

function progressOf(value: PlainObject, status: TaskStatus | undefined): StepProgress {
  const means = stepStatusOf(status);
  const tag = means === "blocked" ? newestTag(notesIn(own(value, "notes"))) : undefined;
  const attempts = own(value, "verification_attempts");
  return {
    status: means,
    reason: tag?.reason,
    note: noteOf(value, status, tag?.note),
    verificationAttempts:
      typeof attempts === "number" && Number.isInteger(attempts) ? Math.min(Math.max(attempts, 0), 1000) : 0,
    updatedAt: plainText(own(value, "updated_date")),
  };
}

function noteOf(
  value: PlainObject,
  status: TaskStatus | undefined,
  tagged: string | undefined,
): string | undefined {
  if (tagged) return tagged;
  if (status?.word === "Absorbed")
    return `absorbed into ${plainText(own(value, "absorbed_into")) ?? "another task"}`;
  return status?.means === "on_hold" ? plainText(own(value, "on_hold_reason")) : undefined;
}

/** The words of the file for the agent that does the work: no status, no history, no time. */
function bodyOf(value: PlainObject): string {
  let body = plainText(own(value, "description")) ?? "";
  for (const [name, label] of LINES) {
    const text = plainText(own(value, name));
    if (text !== undefined) body += `${body === "" ? "" : "\n\n"}${label}: ${text}`;
  }
  for (const [name, label] of LISTS) {
    const texts = textsIn(own(value, name));
    if (texts.length > 0) body += `${body === "" ? "" : "\n\n"}${label}:\n- ${texts.join("\n- ")}`;
  }
  return body;
}

function textsIn(list: unknown): readonly string[] {
  if (!Array.isArray(list) || list.length === 0) return NONE;
  const texts: string[] = [];
  for (const item of list as readonly unknown[]) {
    const text = plainText(item);
    if (text !== undefined) texts.push(text);
  }
  return texts;
}

const LINES = [
  ["owner", "Owner"],
  ["phase", "Phase"],
] as const;

const LISTS = [
  ["acceptanceCriteria", "Acceptance criteria"],
  ["acceptance_criteria", "Acceptance criteria"],
  ["requirements", "Requirements"],
  ["files_affected", "Files affected"],
] as const;
