import { isDigit, ZERO } from "../is-digit.ts";
import { type JsonPath, own, type PlainObject, plainText } from "../../../platform/json/index.ts";
import { anchorFor } from "../plan-words.ts";
import type { TaskReading } from "./task-reading.ts";

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

/** What a task file is called in the plan: its name without the ending. Readers and writers must agree. */
export function anchorOfFile(name: string): string {
  const stem = stemOf(name);
  return anchorFor(stem, stem);
}

/** What a subtask inside a file is called: by its id, else by its place. */
export function anchorOfInner(id: string | undefined, parent: string, index: number): string {
  const place = `${parent}-${index + 1}`;
  return anchorFor(id ?? place, place);
}

export const stemOf = (name: string): string =>
  name.endsWith(".json") ? name.slice(0, -5) : name.replace(/\.json$/i, "");

export const TASK_IDS = ["id", "task_id"] as const;

/** An id: text, or a number as it is written in the file. Where it stands is put together only for a number. */
export const idOf = (
  value: unknown,
  reading: TaskReading,
  path: JsonPath,
  name: string,
  index?: number,
): string | undefined =>
  typeof value === "number"
    ? reading.json.numberAt(jsonPathTo(path, name, index), value)
    : plainText(value)?.trim();

export const jsonPathTo = (path: JsonPath, name: string, index: number | undefined): JsonPath =>
  index === undefined ? [...path, name] : [...path, name, index];

/** The first of several spellings of a name that is there with a value. */
export function firstId(
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
