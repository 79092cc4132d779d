import { bareAnchor, Failure, isHeld, type StepEvent, type StepStatus } from "../domain/index.ts";
import type { Ports } from "../platform/ports/index.ts";
import type { StepRow } from "../platform/index.ts";
import { journal, type Repeatable } from "../journal/index.ts";
import type { StepAddress } from "./caller.ts";
import { freeHeldStep, lockedStep, savedStep, transact } from "../plans/index.ts";
import { refuseStale, type SeenStep } from "./refuse-stale.ts";
import { stopOwner, type TakenOver } from "./stop-owner.ts";

export interface OperatorRequest extends StepAddress, Repeatable {
  /** How the step stood when the person decided; anything else now, and nothing happens. */
  readonly seen?: SeenStep | undefined;
  readonly reason?: string | undefined;
}

export interface OperatorAnswer {
  readonly planPath: string;
  readonly anchor: string;
  readonly status: StepStatus;
  readonly wasClaimedBy: string | null;
  /** Where its runner was stopped, as by Ctrl-Z. */
  readonly tookOver?: TakenOver;
}

/** Puts a step back to pending, whoever holds it. A step that is pending already stays so; a completed one is refused. */
export const reset = (ports: Ports, request: OperatorRequest): Promise<OperatorAnswer> =>
  operate(ports, request, "reset", (step) => {
    if (step.status === "completed") throw completed(step);
    return isHeld(step.status) ? "reset" : step.status === "pending" ? undefined : "retried";
  });

/** Keeps a step from being handed out until somebody retries it. */
export const hold = (ports: Ports, request: OperatorRequest): Promise<OperatorAnswer> =>
  operate(ports, request, "held", (step) => {
    if (step.status === "completed") throw completed(step);
    return "held";
  });

/** Lets a blocked or held-back step be claimed again. */
export const retry = (ports: Ports, request: OperatorRequest): Promise<OperatorAnswer> =>
  operate(ports, request, "retried", () => "retried");

async function operate(
  ports: Ports,
  request: OperatorRequest,
  verb: string,
  eventFor: (step: StepRow) => StepEvent | undefined,
): Promise<OperatorAnswer> {
  const { key } = ports.plans.locate(request.plan);
  const subject = [key, bareAnchor(request.step), request.reason];
  const tookOver = await stopOwner(ports, {
    plan: key,
    anchor: bareAnchor(request.step),
    seen: request.seen,
  });
  return transact(ports, { verb, subject, requestId: request.requestId }, async (sql) => {
    const step = await lockedStep(sql, key, request.step);
    if (!tookOver) refuseStale(step, request.seen);
    const event = eventFor(step);
    if (event)
      await freeHeldStep(sql, step, event, {
        reason: null,
        note: event === "held" ? (request.reason ?? null) : null,
      });
    await journal(sql, {
      event: verb,
      plan: key,
      anchor: step.anchor,
      claim: step.claim_seq,
      detail: { was: step.status, was_claimed_by: step.claimed_by, reason: request.reason ?? null },
    });
    const { status } = await savedStep(sql, key, step.anchor);
    const wasClaimedBy = step.claimed_by;
    return { planPath: key, anchor: step.anchor, status, wasClaimedBy, ...(tookOver && { tookOver }) };
  });
}

const completed = (step: StepRow): Failure =>
  new Failure("step/wrong-status", `${step.anchor} is completed, and stays so.`, {
    plan_path: step.plan_path,
    anchor: step.anchor,
    status: step.status,
    commit: step.commit_hash,
  });
