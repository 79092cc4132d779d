import type { Lane, Session, StepStatus } from "./types.ts";

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

export const SESSION_WORDS: Readonly<Record<Session["status"], string>> = {
  in_progress: "running",
  completed: "completed",
  failed: "ended with open steps",
  interrupted: "interrupted",
  abandoned: "abandoned",
};

export const ACTION_WORDS: Readonly<Record<string, string>> = {
  decide: "Decide",
  repair: "Repair what is proven",
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

/** What a command that was started does; a decision says it itself. */
export const jobWords = (action: string): string =>
  action === "decide" ? "" : `${ACTION_WORDS[action] ?? action} `;

/** What recovery recognises, as the head of a card. */
export const RULE_WORDS: Readonly<Record<string, string>> = {
  "malformed-file": "A file cannot be read",
  "plan-changed": "A plan was edited",
  "interrupted-session": "A session was interrupted",
  "paused-by-limit": "A session is paused by a limit",
  "awaiting-verification": "Done, but never verified",
  "verification-timed-out": "Verification took too long",
  "verification-escalated": "Verification failed too often",
  "agent-timed-out": "The agent took too long",
  "stale-in-progress": "Begun, and left for a day",
  "orphaned-worktree": "A worktree lost what it belongs to",
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
