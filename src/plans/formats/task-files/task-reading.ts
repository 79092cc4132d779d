import type { Report } from "../diagnostics.ts";
import type { JsonPath, JsonPositions, QuickJson } from "../../../platform/json/index.ts";
import { jsonPathTo } from "./task-ids.ts";

/** A file while it is read. */
export interface TaskReading {
  readonly json: QuickJson;
  readonly places: JsonPositions;
  readonly report: Report;
  /** How many more are read; of all files together. */
  readonly left: { inner: number; mentions: number };
}

/** Far more than a person writes; a hostile folder has millions, each of which takes memory. */
export const MOST = { inner: 50_000, mentions: 100_000 } as const;

/** The first ones of a list, as many as may still be read. */
export function within(
  items: readonly unknown[],
  what: keyof typeof MOST,
  { left, report, places }: TaskReading,
  path: JsonPath,
): readonly unknown[] {
  if (items.length <= left[what]) {
    left[what] -= items.length;
    return items;
  }
  const kept = items.slice(0, left[what]);
  left[what] = 0;
  const { name, nouns } = TOO_MANY[what];
  // Where a list stands costs a second reading of the file; that of the task will do for its subtasks.
  const at = places.of(what === "inner" ? path : jsonPathTo(path, "dependencies", undefined));
  report(name, at, () => `The files have more than ${MOST[what]} ${nouns}.`);
  return kept;
}

const TOO_MANY = {
  inner: { name: "plan/too-many-steps", nouns: "subtasks" },
  mentions: { name: "plan/too-many-dependencies", nouns: "dependencies" },
} as const;
