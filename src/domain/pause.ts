import type { ExitVerdict } from "./exit-verdict.ts";

/** What a session does after an exit that says nothing about the work. */
export type Pause =
  | { readonly kind: "wait"; readonly untilMs: number; readonly because: string }
  /** Waiting does not help: a person must log in, pay, or look. */
  | { readonly kind: "person"; readonly because: string };

const MINUTE_MS = 60_000;

/** A limit that ends "at three" may end a little later by the server's clock. */
const MARGIN_MS = 30_000;

/** How long to wait when the agent names no time: longer each time, because a short wait was tried and did not help. */
const STEPS_MINUTES = {
  limited: [5, 15, 30, 60],
  offline: [0.5, 1, 2, 5, 10],
} as const;

/**
 * How long to wait, or that a person must act; undefined when the exit is about the work itself.
 *
 * `pauses` counts those that followed each other without any work between them. A time that the agent named is
 * believed once it lies ahead; one that has passed already is no time at all, or the session would spin.
 */
export function pauseAfter(verdict: ExitVerdict, pauses: number, nowMs: number): Pause | undefined {
  if (verdict.outcome === "unauthorised") return { kind: "person", because: verdict.said };
  if (verdict.outcome !== "limited" && verdict.outcome !== "offline") return undefined;
  const steps = STEPS_MINUTES[verdict.outcome];
  const byHabitMs = nowMs + steps[Math.min(Math.max(pauses, 0), steps.length - 1)]! * MINUTE_MS;
  const toldMs = verdict.outcome === "limited" ? verdict.untilMs : undefined;
  const isBelieved = toldMs !== undefined && toldMs > nowMs && pauses < BELIEVED;
  const untilMs = isBelieved ? toldMs + MARGIN_MS : Math.max(toldMs ?? 0, byHabitMs);
  return { kind: "wait", untilMs, because: verdict.said };
}

/** After so many waits for named times without any work, those times are not the whole truth. */
const BELIEVED = 3;
