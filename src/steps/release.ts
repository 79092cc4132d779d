import { bareAnchor, Failure, HELD_STATUSES, isHeld } from "../domain/index.ts";
import type { Ports } from "../platform/ports/index.ts";
import { releaseStep } from "./sql/release-step.ts";
import { freeHeldStep, freeSubsteps, lockedStep, reopenItems, transact } from "../plans/index.ts";
import { journal, type Repeatable } from "../journal/index.ts";
import type { Caller, StepAddress } from "./caller.ts";
import { ownerParams, whyRefused } from "./owned-step.ts";
import { refuseStale, type ExpectedStep } from "./refuse-stale.ts";
import { stopOwner, type TakenOver } from "./stop-owner.ts";

export interface ReleaseRequest extends StepAddress, Repeatable {
  /** The owner who gives the step back; left out, a person takes it from the owner by force. */
  readonly caller?: Caller | undefined;
  readonly reason?: string | undefined;
  /** How the step stood when a person decided; anything else now, and nothing happens. */
  readonly seen?: ExpectedStep | undefined;
  /** The owner and its worktree are gone: no person took the step away, and its saved work is continued. */
  readonly ownerIsGone?: boolean | undefined;
}

export interface ReleaseAnswer {
  readonly planPath: string;
  readonly anchor: string;
  readonly released: boolean;
  readonly wasClaimedBy: string | null;
  /** Where its runner was stopped, as by Ctrl-Z. */
  readonly tookOver?: TakenOver;
}

/** Gives a claimed step back, so that any worker may claim it. Ticks stay for the worktree that earned them. */
export async function release(ports: Ports, request: ReleaseRequest): Promise<ReleaseAnswer> {
  const { key } = ports.plans.locate(request.plan);
  const { caller } = request;
  const subject = [key, bareAnchor(request.step), caller?.worktree.id, caller?.claim, request.reason];
  const tookOver = caller
    ? undefined
    : await stopOwner(ports, { plan: key, anchor: bareAnchor(request.step), seen: request.seen });
  return transact(ports, { verb: "release", subject, requestId: request.requestId }, async (sql) => {
    const step = await lockedStep(sql, key, request.step);
    if (!tookOver) refuseStale(step, request.seen);
    if (step.parent_anchor !== null) {
      throw new Failure(
        "usage/wrong",
        `${step.anchor} is a substep; it is released with its step ${step.parent_anchor}.`,
        {
          anchor: step.anchor,
          parent_anchor: step.parent_anchor,
        },
      );
    }
    if (caller) {
      const changed = await sql.run(releaseStep, ownerParams(step, caller));
      if (changed === 0) throw await whyRefused(sql, step, caller, HELD_STATUSES, "release");
      await sql.run(reopenItems, { plan_path: key, anchor: step.anchor, now: sql.now });
      await freeSubsteps(sql, step, "released");
    } else {
      if (!isHeld(step.status)) {
        throw new Failure("step/wrong-status", `${step.anchor} is ${step.status}; no worker holds it.`, {
          plan_path: key,
          anchor: step.anchor,
          status: step.status,
        });
      }
      await freeHeldStep(sql, step, "released");
    }
    await journal(sql, {
      event: "released",
      plan: key,
      anchor: step.anchor,
      claim: step.claim_seq,
      worktree: caller?.worktree.path ?? null,
      session: caller?.session,
      detail: {
        was_claimed_by: step.claimed_by,
        forced: caller === undefined && request.ownerIsGone !== true,
        ...(tookOver ? { took_over_pid: tookOver.pid, snapshot: tookOver.snapshotRef } : {}),
        ...(request.reason ? { reason: request.reason } : {}),
      },
    });
    const wasClaimedBy = step.claimed_by;
    return {
      planPath: key,
      anchor: step.anchor,
      released: true,
      wasClaimedBy,
      ...(tookOver && { tookOver }),
    };
  });
}
