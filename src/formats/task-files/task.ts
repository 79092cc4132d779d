import type { StepProgress } from "../../domain/plan.ts";
import { type Place, quote, type Report } from "../diagnostics.ts";
import {
  isPlainObject,
  type JsonPath,
  type JsonPlaces,
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
  readonly places: JsonPlaces;
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
  { left, report, places }: TaskReading,
  path: JsonPath,
): readonly unknown[] {
  const kept = items.length <= left[what] ? items : items.slice(0, left[what]);
  left[what] -= kept.length;
  if (kept !== items)
    report(
      what === "inner" ? "plan/too-many-steps" : "plan/too-many-dependencies",
      places.of(path),
      () => `The files have more than ${MOST[what]} ${what === "inner" ? "subtasks" : "dependencies"}.`,
    );
  return kept;
}

/** `task-006_3`, `006_3` and `6_3` are one task. */
export const keyOf = (id: string): string =>
  plainKey(id) ??
  id
    .trim()
    .toLowerCase()
    .replace(/^task[-_ ]?/, "")
    .replace(/\.json$/, "")
    .replace(/\d+/g, (digits) => digits.replace(/^0+(?=\d)/, ""))
    .replace(/[-_.]+/g, "_");

/** The same for what nearly every id is, `task-007.json`, `task-7` or `7`: asked several times for every task. */
function plainKey(id: string): string | undefined {
  const end = id.endsWith(".json") ? id.length - 5 : id.length;
  let start = id.startsWith("task-") ? 5 : 0;
  if (start >= end) return undefined;
  for (let at = start; at < end; at += 1) if (!isDigit(id.charCodeAt(at))) return undefined;
  while (start < end - 1 && id.charCodeAt(start) === ZERO) start += 1;
  return id.slice(start, end);
}

const ZERO = 0x30;
const isDigit = (code: number): boolean => code >= ZERO && code <= 0x39;

export const TASK_IDS = ["id", "task_id"] as const;

export function taskOf(value: PlainObject, anchor: string, reading: TaskReading, path: JsonPath = TOP): Task {
  const status = statusOf(own(value, "status"));
  reportStatus(own(value, "status"), status, reading, path);
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
    const name = firstId(item, TASK_IDS, reading, where) ?? `${anchor}-${index + 1}`;
    return [taskOf(item, anchorFor(name, `${anchor}-${index + 1}`), reading, where)];
  });

/** An id: text, or a number as it is written in the file. Where it stands is put together only for a number. */
const idOf = (
  value: unknown,
  reading: TaskReading,
  path: JsonPath,
  name: string,
  index?: number,
): string | undefined =>
  typeof value === "number"
    ? reading.json.numberAt(below(path, name, index), value)
    : plainText(value)?.trim();

const below = (path: JsonPath, name: string, index: number | undefined): JsonPath =>
  index === undefined ? [...path, name] : [...path, name, index];

/** The first of several spellings of a name that is there with a value. */
function firstId(
  value: PlainObject,
  names: readonly string[],
  reading: TaskReading,
  path: JsonPath,
): string | undefined {
  for (const name of names) {
    const found = own(value, name);
    if (found !== undefined && found !== null) return idOf(found, reading, path, name);
  }
  return undefined;
}

function parentOf(value: PlainObject, reading: TaskReading, path: JsonPath): string | undefined {
  const id = firstId(value, PARENT_IDS, reading, path);
  return id === undefined ? undefined : keyOf(id);
}

const PARENT_IDS = ["parent_task", "parent_id"] as const;

/** A missing status is pending; a word that nobody knows is undefined. */
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
  report(name, places.of(below(path, "status", undefined)), () => {
    if (typeof value !== "string") return "A status is no text.";
    return status
      ? `The status ${quote(value)} is read as ${status.means}.`
      : `The status ${quote(value)} is not known.`;
  });
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
  for (const [name, label] of LINES) {
    const text = plainText(own(value, name));
    if (text !== undefined) body += `${body === "" ? "" : "\n\n"}${label}: ${text}`;
  }
  for (const [name, label] of LISTS) {
    const list = own(value, name);
    if (!Array.isArray(list)) continue;
    let isFirst = true;
    for (const item of list as readonly unknown[]) {
      const text = plainText(item);
      if (text === undefined) continue;
      if (isFirst) body += `${body === "" ? "" : "\n\n"}${label}:\n- `;
      else body += "\n- ";
      body += text;
      isFirst = false;
    }
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
  if (value === undefined || value === null) return NONE;
  const isList = Array.isArray(value);
  if (isList && value.length === 0) return NONE;
  const items = within(isList ? value : [value], "mentions", reading, path);
  if (items.length === 1) {
    const mention = mentionOf(items[0], reading, path, isList ? 0 : undefined);
    return mention ? [mention] : NONE;
  }
  const mentions: Mention[] = [];
  for (let index = 0; index < items.length; index += 1) {
    const mention = mentionOf(items[index], reading, path, index);
    if (mention) mentions.push(mention);
  }
  return mentions;
}

function mentionOf(item: unknown, reading: TaskReading, path: JsonPath, index?: number): Mention | undefined {
  const text =
    idOf(item, reading, path, "dependencies", index) ??
    (isPlainObject(item) ? firstId(item, TASK_IDS, reading, below(path, "dependencies", index)) : undefined);
  if (text !== undefined) return new MentionAt(text, reading.places, path, index);
  if (item !== null && typeof item !== "string")
    reading.report(
      "plan/wrong-type",
      reading.places.of(below(path, "dependencies", index)),
      () => "A dependency is neither text nor a number.",
    );
  return undefined;
}

class MentionAt implements Mention {
  readonly text: string;
  // Not the whole reading: that would keep all values of the file.
  private readonly places: JsonPlaces;
  private readonly path: JsonPath;
  private readonly index: number | undefined;

  constructor(text: string, places: JsonPlaces, path: JsonPath, index: number | undefined) {
    this.text = text;
    this.places = places;
    this.path = path;
    this.index = index;
  }

  get at(): Place {
    return this.places.of(below(this.path, "dependencies", this.index));
  }
}
