import type { Lane, Session, StepLine, StepStatus } from "./types.ts";

/** Words for people, one place. */
export const LANE_WORDS: Readonly<Record<Lane, string>> = {
  ready: "Ready",
  waiting: "Waiting",
  working: "Working",
  verifying: "Verifying",
  stopped: "Stopped",
  done: "Done",
};

export const STATUS_WORDS: Readonly<Record<StepStatus, string>> = {
  pending: "pending",
  claimed: "claimed",
  in_progress: "in progress",
  awaiting_verification: "awaiting verification",
  completed: "completed",
  blocked: "blocked",
  on_hold: "on hold",
};

/** Where a step stands, in one or two words. A pending one says whether it waits. */
export function standing({ status, lane, interrupted_at }: StepLine): string {
  if (interrupted_at !== null) return "interrupted";
  return status === "pending" ? LANE_WORDS[lane].toLowerCase() : STATUS_WORDS[status];
}

export const SESSION_WORDS: Readonly<Record<Session["status"], string>> = {
  in_progress: "running",
  completed: "completed",
  failed: "ended with open steps",
  interrupted: "interrupted",
  abandoned: "abandoned",
};

export const ACTION_WORDS: Readonly<Record<string, string>> = {
  verify: "Verify again",
  retry: "Retry",
  hold: "Put on hold",
  release: "Release",
  reset: "Reset",
  reopen: "Reopen",
  resume: "Resume",
  abandon: "Abandon",
  restore: "Bring back its work",
  clean: "Clean up",
  merge: "Merge",
  run: "Run",
  read: "Read this plan",
  mend: "Mend what can be mended",
};

export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString("en")} ${count === 1 ? one : many}`;

const UNITS: readonly (readonly [ms: number, name: string])[] = [
  [86_400_000, "d"],
  [3_600_000, "h"],
  [60_000, "min"],
  [1000, "s"],
];

/** `3 min`, `2 h`: the largest unit that fits. */
export function duration(ms: number): string {
  if (ms < 1000) return `${(Math.floor(ms / 100) / 10).toFixed(1)} s`;
  const [unit, name] = UNITS.find(([size]) => ms >= size) ?? [1000, "s"];
  const value = ms / unit;
  return `${value < 10 && unit > 1000 ? Math.floor(value * 10) / 10 : Math.floor(value)} ${name}`;
}

/** Why a step was blocked or a session cut off, in words; codes that are not known are spaced. */
const REASON_WORDS: Readonly<Record<string, string>> = {
  verification_escalated: "verification failed too often",
  process_kill: "its process was killed",
};

export const reasonWords = (reason: string): string => REASON_WORDS[reason] ?? spaced(reason);

/** A session's id, as far as people need it. */
export const shortId = (id: string): string => id.slice(0, 10);

export const shortHash = (hash: string): string => hash.slice(0, 10);

/** The end of a path tells worktrees apart. */
export const shortPath = (path: string): string => path.split("/").slice(-2).join("/");

export function bytes(count: number): string {
  const units = ["B", "KB", "MB", "GB"];
  const power = Math.min(Math.floor(Math.log(Math.max(count, 1)) / Math.log(1000)), units.length - 1);
  const value = count / 1000 ** power;
  return `${value < 10 && power > 0 ? value.toFixed(1) : Math.round(value)} ${units[power]}`;
}

/** Names of states and events as people write them. */
export const spaced = (name: string): string => name.replaceAll(/[_-]/g, " ");
