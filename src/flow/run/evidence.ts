import type { Instant } from "../../domain/instant.ts";

/** What one check saw. All of it is kept. */
export interface Evidence {
  /** For people: `checklist`, `npm test`, `agent claude`. */
  readonly checked: string;
  readonly outcome: "passed" | "failed" | "timed_out";
  readonly exitCode: number | null;
  readonly durationMs: number;
  readonly output: string;
  readonly tree: string;
  readonly at: Instant;
}

export interface Verdict {
  readonly outcome: "passed" | "failed" | "timed_out";
  readonly because: string;
  readonly evidence: readonly Evidence[];
  /** The tree that all of it is about. */
  readonly tree: string;
}

/** What the look at a step's items is called in evidence. */
export const CHECKLIST = "checklist";

/** How often a step may fail before a person must decide. */
export const MOST_ATTEMPTS = 3;

/**
 * How often kills may cut a step off. More than it may fail: a machine that is restarted again and again, or a system
 * that runs out of memory for others, says nothing about the step.
 */
export const MOST_CUT_OFF = 10;
