import { REASON_WORDS, reasonWords } from "../src/domain/reason-words.ts";
import { sessionName } from "../src/domain/session-name.ts";
import { shortNames } from "../src/domain/short-names.ts";
import { standstillWords } from "../src/domain/progress-words.ts";
import type { Lane, PlanOverview, StepLine, StepStatus, Usage } from "./types.ts";

export { reasonWords };

/** Words for people, one place. */
export const LANE_WORDS: Readonly<Record<Lane, string>> = {
  ready: "Ready",
  waiting: "Waiting",
  working: "Working",
  verifying: "Verifying",
  stopped: "Blocked",
  done: "Done",
};

const STATUS_WORDS: Readonly<Record<StepStatus, string>> = {
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

/** Steps that stand still are sorted together, and each group says what they are. */
export const groupName = (lane: Lane, steps: readonly StepLine[]): string => {
  if (lane !== "stopped" || steps.every(({ interrupted_at }) => interrupted_at === null))
    return LANE_WORDS[lane];
  return steps.every(({ interrupted_at }) => interrupted_at !== null)
    ? "Interrupted"
    : "Blocked, interrupted";
};

/** The steps of a plan that no agent works on until a person acts: `2 interrupted`, `1 blocked`. */
export const standstill = (plan: PlanOverview): readonly string[] =>
  standstillWords({ stepsInterrupted: plan.steps_interrupted, stepsBlocked: plan.steps_blocked });

export { SESSION_WORDS, STOPPED_WORD } from "../src/domain/session-words.ts";

export const ACTION_WORDS: Readonly<Record<string, string>> = {
  decide: "Decide",
  repair: "Repair automatically",
  verify: "Verify again",
  retry: "Retry",
  hold: "Put on hold",
  tell: "Send a message",
  release: "Release",
  reset: "Reset",
  reopen: "Reopen",
  resume: "Resume",
  stop: "Stop",
  redo: "Redo on top of the newer work",
  merged: "I merged it by hand",
  create: "Create a plan",
  demo: "Try the demo",
  add: "Add a step",
  abandon: "Abandon",
  restore: "Restore its work",
  clean: "Clean up",
  merge: "Merge",
  run: "Run",
  read: "Read this plan",
  fix: "Fix what Pawl can fix",
};

/** What a command that was started does; a decision says it itself. */
export const jobWords = (action: string): string =>
  action === "decide" ? "" : `${ACTION_WORDS[action] ?? action} `;

export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString("en")} ${count === 1 ? one : many}`;

const UNITS: readonly (readonly [ms: number, name: string])[] = [
  [86_400_000, "d"],
  [3_600_000, "h"],
  [60_000, "min"],
  [1000, "s"],
];

/** `3 min`, `2 h`: the largest unit that fits, for what is long ago. */
export function roughly(ms: number): string {
  const [unit, name] = UNITS.find(([size]) => ms >= size) ?? [1000, "s"];
  return `${Math.floor(Math.max(ms, 0) / unit)} ${name}`;
}

/** `0.4 s`, `12 s`, `1 min 12 s`, `2 h 5 min`: with the next smaller unit where it says something. */
export function duration(ms: number): string {
  if (ms < 100) return "under 0.1 s";
  if (ms < 1000) return `${(Math.floor(ms / 100) / 10).toFixed(1)} s`;
  const index = UNITS.findIndex(([size]) => ms >= size);
  const [unit] = UNITS[index]!;
  const next = UNITS[index + 1];
  const rest = ms % unit;
  const isFine = next !== undefined && ms < 10 * unit && rest >= next[0];
  return isFine ? `${roughly(ms)} ${Math.floor(rest / next[0])} ${next[1]}` : roughly(ms);
}

/** A session's id, as far as people need it. */
export const shortId = sessionName;

export const shortHash = (hash: string): string => hash.slice(0, HASH_DIGITS);

const HASH_DIGITS = 10;

/** The end of a path tells worktrees apart. */
export const shortPath = (path: string): string => path.split("/").slice(-2).join("/");

export function bytes(count: number): string {
  const units = ["B", "KB", "MB", "GB"];
  const power = Math.min(Math.floor(Math.log(Math.max(count, 1)) / Math.log(1000)), units.length - 1);
  const value = count / 1000 ** power;
  return `${value < 10 && power > 0 ? value.toFixed(1) : Math.round(value)} ${units[power]}`;
}

/** What stands beside a line of the journal: lists and parts one after the other, without the marks of JSON. */
export function factWords(fact: unknown): string {
  if (Array.isArray(fact)) return fact.map(factWords).join(", ");
  if (typeof fact !== "object" || fact === null) return oneFact(String(fact));
  return Object.entries(fact)
    .filter(([, part]) => part !== null && part !== "")
    .map(([name, part]) => `${spaced(name)} ${factWords(part)}`)
    .join(" ");
}

/** Codes in words, names of sessions and commits shortened, instants as people read them. */
function oneFact(text: string): string {
  if (/^[0-9a-f]{40,64}$/.test(text)) return shortHash(text);
  if (/^s-[0-9a-f]{8}-[0-9a-f-]{27}$/.test(text)) return shortId(text);
  if (INSTANT.test(text)) return instant(text);
  return /^[a-z]+(?:_[a-z]+)+$/.test(text) || Object.hasOwn(REASON_WORDS, text) ? reasonWords(text) : text;
}

const INSTANT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** A moment as short as it can be written: the year only where it is another one. */
export function instant(text: string): string {
  const at = new Date(text);
  const isThisYear = at.getFullYear() === new Date().getFullYear();
  return at.toLocaleString("en-GB", {
    day: "numeric",
    month: "short",
    ...(isThisYear ? {} : { year: "numeric" }),
    hour: "2-digit",
    minute: "2-digit",
  });
}

/** A sentence of the command line for people who look: names shortened, codes in words, instants as they read them. */
export const inWords = (sentence: string): string =>
  shortNames(sentence, HASH_DIGITS)
    .replaceAll(/\b\d{4}-\d\d-\d\dT[\d:.]+Z/g, instant)
    .replaceAll(/\b[a-z]+(?:_[a-z]+)+\b/g, (code) =>
      Object.hasOwn(REASON_WORDS, code)
        ? REASON_WORDS[code]!
        : Object.hasOwn(STATUS_WORDS, code)
          ? STATUS_WORDS[code as StepStatus]
          : code,
    );

/** Names of states and events as people write them. */
export const spaced = (name: string): string => name.replaceAll(/[_-]/g, " ");

/** As every place shows it. */
const dollars = (usd: number): string => `$${(Math.round(usd * 100) / 100).toFixed(2)}`;

/** What agents used, in few words; undefined where nothing is on record. */
export function usageWords(usage: Usage | null | undefined): string | undefined {
  if (!usage) return undefined;
  if (usage.cost_usd !== null) return dollars(usage.cost_usd);
  const tokens = usage.input_tokens + usage.output_tokens;
  return `${tokens < 1000 ? tokens : `${(tokens / 1000).toFixed(1)}k`} tokens`;
}

/** Said once an action is carried out, or started. */
export const DONE_WORDS: Readonly<Record<string, string>> = {
  verify: "The verification was started.",
  resume: "The run continues.",
  stop: "The run was asked to stop.",
  create: "The plan was created.",
  add: "The step was added to the file.",
  merged: "The verification was started.",
  redo: "The next worker redoes it.",
  run: "The run was started.",
  decide: "Pawl carries out your decision.",
  repair: "The repair was started.",
  fix: "The fix was started.",
  abandon: "Abandoned. Its work is kept.",
  restore: "Its work is restored to the worktree.",
  merge: "Merged.",
  clean: "Cleaned up. Uncommitted work is saved.",
};
