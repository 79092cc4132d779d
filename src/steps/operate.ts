import {
  bareAnchor,
  Failure,
  type Instant,
  isHeld,
  type StepEvent,
  type StepStatus,
} from "../domain/index.ts";
import type { Ports } from "../platform/ports/index.ts";
import type { StepRow } from "../platform/index.ts";
import { journal, type Repeatable } from "../journal/index.ts";
import type { StepAddress } from "./caller.ts";
import {
  databaseFor,
  freeHeldStep,
  holdWithSubsteps,
  listSteps,
  savedPlan,
  savedStep,
  transact,
  updatePlanStatus,
} from "../plans/index.ts";
import { type KeptWork, keptWorkOf } from "./kept-work.ts";
import { lockFamily } from "./lock-family.ts";
import { refuseStale, type ExpectedStep } from "./refuse-stale.ts";
import { stopOwner, type TakenOver } from "./stop-owner.ts";

export interface OperatorRequest extends StepAddress, Repeatable {
  /** How the step stood when the person decided; anything else now, and nothing happens. */
  readonly seen?: ExpectedStep | undefined;
  readonly reason?: string | undefined;
}

export interface RetryRequest extends OperatorRequest {
  /** Begins anew, although work of the step was kept; that stays where it is. */
  readonly fresh?: boolean | undefined;
}

export interface OperatorAnswer {
  readonly planPath: string;
  readonly anchor: string;
  readonly status: StepStatus;
  readonly wasClaimedBy: string | null;
  /** Where its runner was stopped, as by Ctrl-Z. */
  readonly tookOver?: TakenOver;
  /** Work of the step that the next claim continues with. */
  readonly kept?: { readonly at: Instant; readonly ref: string; readonly extent: KeptWork["extent"] };
}

/** Puts a step back to pending, even if a worker holds it. A step that is pending already stays so; a completed one is refused. */
export const reset = (ports: Ports, request: OperatorRequest): Promise<OperatorAnswer> =>
  operate(ports, request, "reset", (step) => {
    if (step.status === "completed") throw completed(step);
    return isHeld(step.status) ? "reset" : step.status === "pending" ? undefined : "retried";
  });

/** Puts a step on hold, so that no worker claims it until a person retries it. */
export const hold = (ports: Ports, request: OperatorRequest): Promise<OperatorAnswer> =>
  operate(ports, request, "held", (step) => {
    if (step.status === "completed") throw completed(step);
    return "held";
  });

/** Lets a blocked or held-back step be claimed again. What was kept of its work is continued, unless it is to be fresh. */
export const retry = (ports: Ports, request: RetryRequest): Promise<OperatorAnswer> =>
  operate(ports, request, "retried", () => "retried");

export interface RetryBlockedAnswer {
  readonly planPath: string;
  readonly retried: readonly OperatorAnswer[];
}

/** Retries every blocked step of a plan, each in a transaction of its own: a kill in between leaves the others blocked. */
export async function retryBlocked(
  ports: Ports,
  { plan, reason, fresh }: Pick<RetryRequest, "plan" | "reason" | "fresh">,
): Promise<RetryBlockedAnswer> {
  const { key } = ports.plans.locate(plan);
  const database = await databaseFor(ports, key);
  const blocked = await database.read(async (sql) => {
    await savedPlan(sql, key);
    return (await sql.all(listSteps, { plan_path: key })).filter(
      ({ status, parent_anchor }) => status === "blocked" && parent_anchor === null,
    );
  });
  const retried: OperatorAnswer[] = [];
  for (const { anchor, claim_seq } of blocked)
    retried.push(
      await retry(ports, {
        plan,
        step: anchor,
        reason,
        fresh,
        seen: { status: "blocked", claim: claim_seq },
      }),
    );
  return { planPath: key, retried };
}

async function operate(
  ports: Ports,
  request: RetryRequest,
  verb: string,
  eventFor: (step: StepRow) => StepEvent | undefined,
): Promise<OperatorAnswer> {
  const { key } = ports.plans.locate(request.plan);
  const subject = [key, bareAnchor(request.step), request.reason, ...(request.fresh ? ["fresh"] : [])];
  const tookOver = await stopOwner(ports, {
    plan: key,
    anchor: bareAnchor(request.step),
    seen: request.seen,
  });
  return transact(ports, { verb, subject, requestId: request.requestId }, async (sql) => {
    const family = await lockFamily(sql, key, request.step);
    const { step } = family;
    if (!tookOver) refuseStale(step, request.seen);
    const event = eventFor(step);
    if (event)
      await freeHeldStep(sql, step, event, {
        reason: null,
        note: event === "held" ? (request.reason ?? null) : null,
      });
    if (event && family.parent) await holdWithSubsteps(sql, family.parent);
    // An optional step that a person asked for is work of the plan again.
    if (event && step.status === "on_hold") await updatePlanStatus(sql, key);
    await journal(sql, {
      event: verb,
      plan: key,
      anchor: step.anchor,
      claim: step.claim_seq,
      detail: {
        was: step.status,
        was_claimed_by: step.claimed_by,
        reason: request.reason ?? null,
        ...(request.fresh ? { fresh: true } : {}),
      },
    });
    const { status } = await savedStep(sql, key, step.anchor);
    const kept = verb === "retried" ? await keptWorkOf(sql, key, step.anchor) : undefined;
    return {
      planPath: key,
      anchor: step.anchor,
      status,
      wasClaimedBy: step.claimed_by,
      ...(tookOver && { tookOver }),
      ...(kept && { kept: { at: kept.at, ref: kept.ref, extent: kept.extent } }),
    };
  });
}

const completed = (step: StepRow): Failure =>
  new Failure("step/wrong-status", `${step.anchor} is completed, and stays so.`, {
    plan_path: step.plan_path,
    anchor: step.anchor,
    status: step.status,
    commit: step.commit_hash,
  });
