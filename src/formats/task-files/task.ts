import type { StepProgress } from "../../domain/plan.ts";
import { type Place, quote, type Report } from "../diagnostics.ts";
import {
  isPlainObject,
  type JsonPath,
  own,
  type PlainObject,
  plainList,
  plainText,
  type QuickJson,
} from "../json/quick-json.ts";
import { anchorFor, oneLine } from "../plan-words.ts";
import { statusNamed } from "../shown-status.ts";
import { newestTag, notesIn } from "./notes.ts";
import { isOwnWord, TASK_STATUSES, type TaskStatus } from "./words.ts";

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
  readonly at: Place;
}

/** A dependency as it is written. Where that is costs a second reading of the file, so it is asked for only to tell of it. */
export interface Mention {
  readonly text: string;
  readonly at: Place;
}

export interface TaskReading {
  readonly json: QuickJson;
  readonly place: (path: JsonPath) => Place;
  readonly report: Report;
  /** How many more are read; of all files together. */
  readonly left: { inner: number; mentions: number };
}

/** Far more than anybody writes; a hostile folder has millions, each of which takes memory. */
export const MOST = { inner: 50_000, mentions: 100_000 } as const;

/** The first ones of a list, as many as may still be read. */
function within(
  items: readonly unknown[],
  what: keyof typeof MOST,
  { left, report, place }: TaskReading,
  path: JsonPath,
): readonly unknown[] {
  const kept = items.length <= left[what] ? items : items.slice(0, left[what]);
  left[what] -= kept.length;
  if (kept !== items)
    report(
      what === "inner" ? "plan/too-many-steps" : "plan/too-many-dependencies",
      place(path),
      () => `The files have more than ${MOST[what]} ${what === "inner" ? "subtasks" : "dependencies"}.`,
    );
  return kept;
}

/** `task-006_3`, `006_3` and `6_3` are one task. */
export const keyOf = (id: string): string =>
  PLAIN_ID.exec(id)?.[1] ??
  id
    .trim()
    .toLowerCase()
    .replace(/^task[-_ ]?/, "")
    .replace(/\.json$/, "")
    .replace(/\d+/g, (digits) => digits.replace(/^0+(?=\d)/, ""))
    .replace(/[-_.]+/g, "_");

/** What nearly every id is. */
const PLAIN_ID = /^(?:task-)?0*(\d+)(?:\.json)?$/;

export const TASK_IDS = ["id", "task_id"] as const;

export function taskOf(value: PlainObject, anchor: string, reading: TaskReading, path: JsonPath = []): Task {
  const status = statusOf(own(value, "status"), (message, name) =>
    reading.report(name, reading.place([...path, "status"]), () => message),
  );
  const id = firstId(value, TASK_IDS, reading, path);
  const subtasks = within(plainList(own(value, "subtasks")), "inner", reading, path);
  return {
    anchor,
    id,
    key: keyOf(id ?? anchor),
    title: oneLine(plainText(own(value, "title")) ?? anchor),
    status,
    progress: progressOf(value, status),
    body: bodyOf(value),
    parent: parentOf(value, reading, path),
    dependencies: mentionsOf(own(value, "dependencies"), reading, [...path, "dependencies"]),
    childKeys: subtasks.flatMap((item, index) => {
      if (isPlainObject(item)) return [];
      const child = idOf(item, reading, [...path, "subtasks", index]);
      return child === undefined ? [] : [keyOf(child)];
    }),
    inner: subtasks.flatMap((item, index) => {
      if (!isPlainObject(item)) return [];
      const where = [...path, "subtasks", index];
      const name = firstId(item, TASK_IDS, reading, where) ?? `${anchor}-${index + 1}`;
      return [taskOf(item, anchorFor(name, `${anchor}-${index + 1}`), reading, where)];
    }),
    at: reading.place(path),
  };
}

/** An id: text, or a number as it is written in the file. */
const idOf = (value: unknown, { json }: TaskReading, path: JsonPath): string | undefined =>
  typeof value === "number" ? json.numberAt(path, value) : plainText(value)?.trim();

/** The first of several spellings of a name that is there with a value. */
function firstId(
  value: PlainObject,
  names: readonly string[],
  reading: TaskReading,
  path: JsonPath,
): string | undefined {
  const name = names.find((one) => (own(value, one) ?? null) !== null);
  return name === undefined ? undefined : idOf(own(value, name), reading, [...path, name]);
}

function parentOf(value: PlainObject, reading: TaskReading, path: JsonPath): string | undefined {
  const id = firstId(value, ["parent_task", "parent_id"], reading, path);
  return id === undefined ? undefined : keyOf(id);
}

type Odd = (message: string, name: "plan/unknown-status" | "plan/other-word") => void;

/** A missing status is pending; a word that nobody knows is undefined. */
export function statusOf(value: unknown, tell?: Odd): TaskStatus | undefined {
  const pending = TASK_STATUSES.get("pending")!;
  if (value === undefined || value === null) return pending;
  const text = typeof value === "string" ? value : undefined;
  if (text?.trim() === "") return pending;
  const status = text === undefined ? undefined : statusNamed(TASK_STATUSES, text);
  if (!status)
    tell?.(
      text === undefined ? "A status is no text." : `The status ${quote(text)} is not known.`,
      "plan/unknown-status",
    );
  else if (!isOwnWord(status))
    tell?.(`The status ${quote(text!)} is read as ${status.means}.`, "plan/other-word");
  return status;
}

function progressOf(value: PlainObject, status: TaskStatus | undefined): StepProgress {
  const means = status === undefined ? "on_hold" : status.means === "broken_down" ? "pending" : status.means;
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

/** The words of the file for whoever does the work: no status, no history, no time. */
function bodyOf(value: PlainObject): string {
  let body = plainText(own(value, "description")) ?? "";
  const add = (part: string) => (body = body === "" ? part : `${body}\n\n${part}`);
  for (const [name, label] of LINES) {
    const text = plainText(own(value, name));
    if (text !== undefined) add(`${label}: ${text}`);
  }
  for (const [name, label] of LISTS) {
    let list = "";
    for (const item of plainList(own(value, name))) {
      const text = plainText(item);
      if (text !== undefined) list += `\n- ${text}`;
    }
    if (list !== "") add(`${label}:${list}`);
  }
  return body;
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

function mentionsOf(value: unknown, reading: TaskReading, path: JsonPath): readonly Mention[] {
  if (value === undefined || value === null) return [];
  const isList = Array.isArray(value);
  const items = within(isList ? value : [value], "mentions", reading, path);
  return items.flatMap((item, index) => {
    const where = isList ? [...path, index] : path;
    const text =
      idOf(item, reading, where) ??
      (isPlainObject(item) ? firstId(item, TASK_IDS, reading, where) : undefined);
    if (text !== undefined) return [mentionAt(text, reading.place, where)];
    if (item !== null && typeof item !== "string")
      reading.report(
        "plan/wrong-type",
        reading.place(where),
        () => "A dependency is neither text nor a number.",
      );
    return [];
  });
}

const mentionAt = (text: string, place: TaskReading["place"], path: JsonPath): Mention => ({
  text,
  get at() {
    return place(path);
  },
});
