import { type Instant, isHeld, type LeaseClock, leaseEnd, OPTIONAL, otherHost } from "../domain/index.ts";
import type { Sql } from "../platform/ports/index.ts";
import { findSession, stoppedOwner, type StoppedRunner } from "../sessions/index.ts";
import { ownerIsGone } from "./choose-step.ts";
import { listEditedSteps } from "./sql/list-edited-steps.ts";
import { listInFlightSteps } from "./sql/list-in-flight-steps.ts";
import { listOpenDependencies } from "../steps/index.ts";
import { listOfferedSteps, listOpenSteps } from "../plans/index.ts";
import type { StepRow } from "../platform/index.ts";

/** Why a step cannot be claimed now. */
export interface Waiting {
  readonly anchor: string;
  readonly title: string;
  readonly reason:
    | "dependencies"
    | "held"
    | "blocked"
    | "on_hold"
    | "optional"
    | "ready"
    | "completed"
    | "edited";
  readonly blockedBy: readonly string[];
  readonly heldBy: string | null;
  /** The machine it is held on, where that is another one than this. */
  readonly otherHost: string | null;
  /** The session it is held by; null where a claim was made by hand. */
  readonly session: string | null;
  /** Where the process of that session is stopped, as by Ctrl-Z. */
  readonly stopped: StoppedRunner | null;
  readonly until: Instant | null;
  readonly note: string | null;
}

/** Enough for a person to see the shape of it; the rest waits for one of these. */
const MOST = 50;

/**
 * Why each open step waits: of the first ones, and of those that are held or ready wherever they are in the plan, since
 * callers conclude from them whether anything is in flight.
 */
export async function whyNothing(sql: Sql, plan: string, moment: LeaseClock): Promise<readonly Waiting[]> {
  const [open, inFlight] = await Promise.all([
    sql.all(listOpenSteps, { plan_path: plan, most: MOST }),
    sql.all(listInFlightSteps, { plan_path: plan, most: MOST }),
  ]);
  const shown = new Set(open.map(({ anchor }) => anchor));
  const steps = [...open, ...inFlight.filter(({ anchor }) => !shown.has(anchor))];
  const answers: Waiting[] = [];
  for (const step of steps) answers.push(await whyWaiting(sql, step, moment));
  return answers;
}

/** Optional steps, which a person may ask for. */
export async function offeredSteps(sql: Sql, plan: string, moment: LeaseClock): Promise<readonly Waiting[]> {
  const steps = await sql.all(listOfferedSteps, { plan_path: plan, most: MOST });
  const answers: Waiting[] = [];
  for (const step of steps) answers.push(await whyWaiting(sql, step, moment));
  return answers;
}

/** Completed steps about whose edit a person has not decided yet. */
export async function editedSteps(sql: Sql, plan: string, moment: LeaseClock): Promise<readonly Waiting[]> {
  const steps = await sql.all(listEditedSteps, { plan_path: plan, most: MOST });
  const answers: Waiting[] = [];
  for (const step of steps) answers.push(await whyWaiting(sql, step, moment));
  return answers;
}

export async function whyWaiting(sql: Sql, step: StepRow, moment: LeaseClock): Promise<Waiting> {
  const blockedBy =
    step.unmet_deps > 0
      ? (await sql.all(listOpenDependencies, { plan_path: step.plan_path, anchor: step.anchor })).map(
          (row) => row.depends_on,
        )
      : [];
  return {
    anchor: step.anchor,
    title: step.title,
    reason: (await waitsForDecision(sql, step, moment)) ? "edited" : reasonOf(step),
    blockedBy,
    heldBy: step.claimed_by,
    otherHost: otherHost(step, moment),
    session: step.session_id,
    stopped: isHeld(step.status) ? await stoppedHolder(sql, step, moment) : null,
    until: leaseEnd(step, moment),
    note: step.bound_to === null ? step.block_note : step.stands_as === null ? REMOVED : EDITED,
  };
}

const EDITED = "its text in the plan changed; `pawl recover` asks which text counts";
const REMOVED = "the plan no longer has it; `pawl recover` asks what to do with it";

/** Its plan changed, and no worker holds it that could finish it. */
const waitsForDecision = async (sql: Sql, step: StepRow, moment: LeaseClock): Promise<boolean> =>
  step.bound_to !== null &&
  (step.status === "pending" ||
    step.status === "completed" ||
    (isHeld(step.status) && (await ownerIsGone(sql, step, moment))));

/** The runner that holds a step, where it is stopped. */
export async function stoppedHolder(
  sql: Sql,
  step: StepRow,
  moment: LeaseClock,
): Promise<StoppedRunner | null> {
  const { session_id: id } = step;
  return id === null ? null : stoppedOwner(await sql.get(findSession, { id }), step, moment);
}

function reasonOf(step: StepRow): Waiting["reason"] {
  const { status } = step;
  if (status === "on_hold" && step.block_reason === OPTIONAL) return "optional";
  if (status === "blocked" || status === "on_hold" || status === "completed") return status;
  if (step.unmet_deps > 0) return "dependencies";
  return status === "pending" ? "ready" : "held";
}
