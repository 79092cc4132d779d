import {
  bareAnchor,
  DEFAULT_LEASE_SECONDS,
  grantLease,
  HELD_STATUSES,
  type Instant,
  leaseEnd,
  leaseIsOver,
} from "../domain/index.ts";
import type { Ports } from "../platform/ports/index.ts";
import { renewLease } from "./sql/renew-lease.ts";
import { journal, type Repeatable } from "../journal/index.ts";
import type { Caller, StepAddress } from "./caller.ts";
import { leaseClockOf } from "../sessions/index.ts";
import { ownerParams, whyRefused } from "./owned-step.ts";
import { lockedStep, ownerAnchor, savedStep, transact } from "../plans/index.ts";

export interface HeartbeatRequest extends StepAddress, Repeatable {
  readonly caller: Caller;
  readonly leaseSeconds?: number | undefined;
}

export interface HeartbeatAnswer {
  readonly planPath: string;
  readonly anchor: string;
  readonly leaseExpires: Instant | null;
  /** The lease was to end later than what was asked for, and stays so: a lease is never shortened. */
  readonly leaseKept: boolean;
}

/**
 * The owner says it is alive.
 *
 * A lease that ran out but was not taken is renewed, and the journal says so. Beats in time are not journalled: they
 * would bury everything else, and `heartbeat_at` holds the last one.
 */
export async function heartbeat(ports: Ports, request: HeartbeatRequest): Promise<HeartbeatAnswer> {
  const { key } = ports.plans.locate(request.plan);
  const { caller } = request;
  const subject = [key, bareAnchor(request.step), caller.worktree.id, caller.claim, request.leaseSeconds];
  const call = { verb: "heartbeat", subject, requestId: request.requestId, atOnce: true };
  return transact(ports, call, async (sql) => {
    const step = await lockedStep(sql, key, request.step);
    const holder = step.parent_anchor === null ? step : await savedStep(sql, key, ownerAnchor(step));
    const moment = leaseClockOf(ports, sql);
    const asked = grantLease(request.leaseSeconds ?? DEFAULT_LEASE_SECONDS, moment);
    const [changed, renewed] = await Promise.all([
      sql.run(renewLease, {
        ...ownerParams(holder, caller),
        boot_id: moment.bootId,
        now: sql.now,
        ...asked,
      }),
      savedStep(sql, key, holder.anchor),
    ]);
    if (changed === 0) throw await whyRefused(sql, step, caller, HELD_STATUSES, "heartbeat");
    if (leaseIsOver(holder, moment)) {
      await journal(sql, {
        event: "lease-revived",
        plan: key,
        anchor: holder.anchor,
        claim: holder.claim_seq,
        worktree: caller.worktree.path,
        session: caller.session,
      });
    }
    const leaseExpires = leaseEnd(renewed, moment);
    const leaseKept =
      request.leaseSeconds !== undefined && leaseExpires !== null && leaseExpires > asked.lease_expires_at;
    return { planPath: key, anchor: step.anchor, leaseExpires, leaseKept };
  });
}
