import type { FoundStatus } from "../../../domain/index.ts";

/** A status of a task: what it means for the step, and how it is written. */
export interface TaskStatus {
  readonly word: string;
  readonly means: FoundStatus | "broken_down";
}

const WORDS: readonly TaskStatus[] = [
  { word: "Pending", means: "pending" },
  { word: "Ready", means: "pending" },
  { word: "In Progress", means: "in_progress" },
  { word: "Awaiting Verification", means: "awaiting_verification" },
  { word: "Blocked", means: "blocked" },
  { word: "On Hold", means: "on_hold" },
  { word: "Finished", means: "completed" },
  { word: "Absorbed", means: "completed" },
  { word: "Broken Down", means: "broken_down" },
];

/** Words that other tools write for the same. */
const OTHER_WORDS: readonly TaskStatus[] = [
  { word: "completed", means: "completed" },
  { word: "complete", means: "completed" },
  { word: "done", means: "completed" },
  { word: "todo", means: "pending" },
  { word: "not started", means: "pending" },
];

/** By the word as it is written here, and in lower case, as other spellings are looked up. */
export const TASK_STATUSES: ReadonlyMap<string, TaskStatus> = new Map(
  [...WORDS, ...OTHER_WORDS].flatMap((status) => [
    [status.word, status] as const,
    [status.word.toLowerCase(), status] as const,
  ]),
);

/** What a status means for the step. An unknown one is left to a person; what is broken down waits for its parts. */
export function stepStatusOf(status: TaskStatus | undefined): FoundStatus {
  if (status === undefined) return "on_hold";
  return status.means === "broken_down" ? "pending" : status.means;
}

export const isOwnWord = (status: TaskStatus): boolean => WORDS.includes(status);

/** How Pawl writes a status into a task file. */
export const WRITTEN: Readonly<Record<Exclude<FoundStatus, "failed">, string>> = {
  pending: "Pending",
  in_progress: "In Progress",
  awaiting_verification: "Awaiting Verification",
  completed: "Finished",
  blocked: "Blocked",
  on_hold: "On Hold",
};

/** Tags in the notes that say why a task is blocked, and the typed reason each stands for. */
export const TAGS = [
  { tag: "[VERIFICATION TIMEOUT]", reason: "verification_timeout" },
  { tag: "[VERIFICATION ESCALATED]", reason: "verification_escalated" },
  { tag: "[AGENT TIMEOUT]", reason: "agent_timeout" },
  { tag: "[AGENT FAILED]", reason: "agent_failed" },
  { tag: "[CUT OFF]", reason: "cut_off" },
  { tag: "[RUNNER KILLED]", reason: "runner_killed" },
  { tag: "[PARTIAL]", reason: "partial" },
  { tag: "[BLOCKED]", reason: "blocked" },
] as const;
