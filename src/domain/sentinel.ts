import type { Instant } from "./instant.ts";

/** A run that has begun and has not said that it ended. */
export interface OpenRun {
  readonly id: string;
  /** What it works on; null where that is no plan. */
  readonly plan: string | null;
  readonly pid: number;
  readonly processStartedAt: string;
  readonly bootId: string;
}

/** What the file says that a clean end leaves behind. */
export interface Sentinel {
  readonly atMs: number;
  readonly inProgress: readonly string[];
  readonly open: boolean;
  /** Who has it open; empty in files of other tools. */
  readonly runs: readonly OpenRun[];
  /** The newest line of the journal at that moment; absent in files of other tools. */
  readonly journalEnd?: number | undefined;
}

export const SENTINEL_FILE = "last-clean-exit.json";

const MOST_TASKS = 100_000;

/**
 * Reads a sentinel as it is found in the wild: times as ISO or epoch, in seconds or milliseconds, the list under any
 * of its names, ids as text or numbers. Undefined for what says nothing: then everything is checked.
 */
export function readSentinel(text: string): Sentinel | undefined {
  let found: unknown;
  try {
    found = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof found !== "object" || found === null || Array.isArray(found)) return undefined;
  const fields = new Map(Object.entries(found));
  const atMs = timeOf(fields.get("timestamp"));
  const listed = NAMES.map((name) => fields.get(name)).find((value) => value !== undefined) ?? [];
  const open = fields.get("open") ?? false;
  if (atMs === undefined || !Array.isArray(listed) || listed.length > MOST_TASKS || typeof open !== "boolean")
    return undefined;
  if (!listed.every((id) => typeof id === "string" || Number.isSafeInteger(id))) return undefined;
  const journalEnd = fields.get("journal_end");
  return {
    atMs,
    inProgress: listed.map(String),
    open,
    runs: runsOf(fields.get("runs")),
    ...(typeof journalEnd === "number" ? { journalEnd } : {}),
  };
}

const NAMES = ["in_progress_tasks", "in_progress", "in_progress_task_ids"] as const;

/** Before this many seconds it is a time in seconds; as milliseconds it would be in 1973. */
const LARGEST_SECONDS = 100_000_000_000;

function timeOf(value: unknown): number | undefined {
  const number = typeof value === "string" && /^\d{9,14}(?:\.\d+)?$/.test(value) ? Number(value) : value;
  if (typeof number === "number")
    return Number.isFinite(number) && number > 0
      ? number < LARGEST_SECONDS
        ? number * 1000
        : number
      : undefined;
  const ms = typeof value === "string" ? Date.parse(value) : NaN;
  return Number.isNaN(ms) ? undefined : ms;
}

function runsOf(value: unknown): readonly OpenRun[] {
  if (!Array.isArray(value)) return [];
  return value.filter(
    (run): run is OpenRun =>
      typeof run === "object" &&
      run !== null &&
      typeof (run as OpenRun).id === "string" &&
      typeof (run as OpenRun).pid === "number" &&
      ((run as OpenRun).plan === null || typeof (run as OpenRun).plan === "string") &&
      typeof (run as OpenRun).processStartedAt === "string" &&
      typeof (run as OpenRun).bootId === "string",
  );
}

export interface SentinelFacts {
  readonly at: Instant;
  readonly taskCount: number;
  readonly inProgress: readonly string[];
  readonly runs: readonly OpenRun[];
  readonly journalEnd?: number | undefined;
}

/** As it is written: the fields that the tools around it know, and who has it open. */
export const writeSentinel = ({ at, taskCount, inProgress, runs, journalEnd }: SentinelFacts): string =>
  `${JSON.stringify(
    {
      timestamp: at,
      task_count: taskCount,
      in_progress_tasks: inProgress,
      open: runs.length > 0,
      ...(runs.length > 0 ? { runs } : {}),
      ...(journalEnd === undefined ? {} : { journal_end: journalEnd }),
    },
    undefined,
    2,
  )}\n`;

const FRESH_MS = 24 * 3600 * 1000;

/** Two processes of one machine may differ by this; a file from later than that is from a clock that was wrong. */
const TOLERANCE_MS = 5000;

/** Why everything must be checked; undefined when it is enough to look at what the sentinel lists. */
export function whyFullScan(
  sentinel: Sentinel | undefined,
  nowMs: number,
  journalEnd: number,
): string | undefined {
  if (sentinel === undefined) return "nothing says how the last session ended";
  if (sentinel.open) return "a session was begun and did not say that it ended";
  if (sentinel.atMs > nowMs + TOLERANCE_MS) return "the last clean end is in the future";
  if (journalEnd < (sentinel.journalEnd ?? 0)) return "the state is older than the last clean end";
  if (nowMs - sentinel.atMs >= FRESH_MS) return "the last clean end was more than 24 hours ago";
  return undefined;
}
