import { type Details, Failure } from "./errors.ts";

/**
 * The life of a step, as data.
 *
 * Nothing else decides which status follows which: the verbs ask `nextStatus`, the database refuses by trigger
 * what is not a row here, and `docs/step-machine.md` is printed from it.
 */
// oxfmt-ignore
export const STEP_TRANSITIONS = [
  { event: "claimed",   from: ["pending"],                                          to: "claimed" },
  { event: "started",   from: ["claimed"],                                          to: "in_progress" },
  { event: "submitted", from: ["in_progress"],                                      to: "awaiting_verification" },
  { event: "rejected",  from: ["awaiting_verification"],                            to: "in_progress" },
  { event: "completed", from: ["in_progress", "awaiting_verification"],             to: "completed" },
  { event: "reclaimed", from: ["claimed", "in_progress", "awaiting_verification"],  to: "claimed" },
  { event: "released",  from: ["claimed", "in_progress", "awaiting_verification"],  to: "pending" },
  { event: "reset",     from: ["claimed", "in_progress", "awaiting_verification"],  to: "pending" },
  { event: "lost",      from: ["claimed", "in_progress", "awaiting_verification"],  to: "pending" },
  { event: "blocked",   from: ["pending", "claimed", "in_progress", "awaiting_verification", "blocked", "on_hold"], to: "blocked" },
  { event: "retried",   from: ["blocked", "on_hold"],                               to: "pending" },
  { event: "reverify",  from: ["blocked"],                                          to: "awaiting_verification" },
  { event: "held",      from: ["pending", "claimed", "in_progress", "awaiting_verification", "blocked", "on_hold"], to: "on_hold" },
  { event: "proved",    from: ["pending", "claimed", "in_progress", "awaiting_verification", "blocked", "on_hold"], to: "completed" },
  { event: "reopened",  from: ["completed"],                                        to: "pending" },
] as const satisfies readonly Transition[];

export const STEP_STATUSES = [
  "pending",
  "claimed",
  "in_progress",
  "awaiting_verification",
  "completed",
  "blocked",
  "on_hold",
] as const;

export type StepStatus = (typeof STEP_STATUSES)[number];
export type StepEvent = (typeof STEP_TRANSITIONS)[number]["event"];

interface Transition {
  readonly event: string;
  readonly from: readonly StepStatus[];
  readonly to: StepStatus;
}

/** The statuses in which a worker owns the step. */
export const HELD_STATUSES = ["claimed", "in_progress", "awaiting_verification"] as const;

export const isHeld = (status: StepStatus): boolean =>
  (HELD_STATUSES as readonly StepStatus[]).includes(status);

/** Every single move, one row each: what the database guard is filled with. */
export function allMoves(): readonly { from: StepStatus; event: StepEvent; to: StepStatus }[] {
  return STEP_TRANSITIONS.flatMap(({ event, from, to }) =>
    from.map((status) => ({ from: status, event, to })),
  );
}

export function canMove(from: StepStatus, event: StepEvent): boolean {
  return STEP_TRANSITIONS.some(
    (row) => row.event === event && (row.from as readonly StepStatus[]).includes(from),
  );
}

/** Whether a step is blocked by what landed meanwhile: started again on top of that it may pass, as it stands it will not. */
export const isAgainstLanded = (reason: string | null): boolean =>
  reason === "merge_conflict" || reason === "landing_rejected";

/** `about` goes into the refusal, so that its hint names the plan. */
export function nextStatus(
  anchor: string,
  from: StepStatus,
  event: StepEvent,
  about: Details = {},
): StepStatus {
  const row = STEP_TRANSITIONS.find(
    (transition) => transition.event === event && (transition.from as readonly StepStatus[]).includes(from),
  );
  if (!row) {
    throw new Failure("step/wrong-status", `${anchor} is ${from}: it cannot be ${event} from there.`, {
      ...about,
      anchor,
      status: from,
      event,
    });
  }
  return row.to;
}
