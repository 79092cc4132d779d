import { DEFAULT_LEASE_SECONDS, grantLease, type Moment } from "../domain/claim.ts";
import { Failure } from "../domain/errors.ts";
import type { Instant } from "../domain/instant.ts";
import { bareAnchor } from "../domain/plan.ts";
import type { Sql } from "../ports/database.ts";
import type { Ports } from "../ports/index.ts";
import { COUNT_LIMIT, countRemaining } from "../store/statements/count-remaining.ts";
import { findSession } from "../store/statements/find-session.ts";
import type { StepRow } from "../store/statements/rows.ts";
import { takeStep } from "../store/statements/take-step.ts";
import type { Caller, Repeatable } from "./caller.ts";
import { chooseStep, isOwn } from "./choose-step.ts";
import { handOver } from "./hand-over.ts";
import { journal } from "./journal.ts";
import type { MissingCommit } from "./missing-commits.ts";
import { momentOf } from "./moment.ts";
import { planOf, refuseChanged, stepOf } from "./plan-state.ts";
import { reap } from "./reap.ts";
import { transact } from "./transact.ts";
import { whyNothing, whyWaiting, type Waiting } from "./why-nothing.ts";

export interface ClaimRequest extends Repeatable {
  readonly plan: string;
  readonly caller: Caller;
  readonly leaseSeconds?: number | undefined;
  /** A certain step instead of the next one. */
  readonly step?: string | undefined;
  /** Takes a step from its owner when nothing is free. Never past a dependency. */
  readonly force?: boolean | undefined;
}

export interface ClaimAnswer {
  readonly planPath: string;
  readonly claimed: boolean;
  readonly anchor: string | null;
  readonly title: string | null;
  readonly stepIndex: number | null;
  /** The number to show with every later call. */
  readonly claim: number | null;
  readonly leaseExpires: Instant | null;
  readonly reclaimed: boolean;
  /** Whom the step was taken from, if somebody held it. */
  readonly displaced: {
    readonly worktree: string | null;
    readonly session: string | null;
    readonly claim: number;
  } | null;
  readonly remainingReady: number;
  readonly totalRemaining: number;
  /** True when the two counts above are only lower bounds. */
  readonly remainingCapped: boolean;
  readonly allCompleted: boolean;
  /** When nothing was claimed: why, for the step that was named, else for each open one. */
  readonly waiting: readonly Waiting[];
  /** Commits of other machines that the step builds on and that are not here yet. */
  readonly missingCommits: readonly MissingCommit[];
}

/** What the transaction decides; the rest is looked up afterwards. */
type Decision = Omit<ClaimAnswer, "missingCommits">;

/**
 * Hands one ready step to a worker.
 *
 * A claim is a number and a deadline. The number protects the work: it grows with every claim, each later write
 * carries it, and the store refuses an old one. The deadline only says when others may try. So a worker that sleeps
 * through its deadline can waste its own time, but nobody else's work.
 */
export async function claim(ports: Ports, request: ClaimRequest): Promise<ClaimAnswer> {
  const location = ports.plans.locate(request.plan);
  const file = ports.plans.read(location);
  await reap(ports);
  const { caller, step, force = false } = request;
  const subject = [
    location.key,
    caller.worktree.id,
    caller.session,
    step && bareAnchor(step),
    force,
    request.leaseSeconds,
  ];
  const answer = await transact(
    ports,
    { verb: "claim", subject, requestId: request.requestId },
    async (sql) => {
      const plan = await planOf(sql, location.key);
      await refuseChanged(ports, sql, plan, location, file);
      await refuseEndedSession(sql, caller.session);
      const moment = momentOf(ports, sql);
      const chosen = await chooseStep(sql, { plan: plan.plan_path, caller, step, force, moment });
      if (!chosen) return nothingClaimed(sql, plan.plan_path, step, moment);
      return take(sql, chosen, request, moment);
    },
  );
  if (answer.anchor === null || !ports.storeIsShared) return { ...answer, missingCommits: [] };
  const { missingCommits } = await import("./missing-commits.ts");
  return { ...answer, missingCommits: await missingCommits(ports, answer.planPath, answer.anchor) };
}

async function take(
  sql: Sql,
  seen: StepRow,
  { caller, leaseSeconds, force }: ClaimRequest,
  moment: Moment,
): Promise<Decision> {
  const fresh = seen.status === "pending";
  const event = fresh ? "claimed" : "reclaimed";
  const lease = grantLease(leaseSeconds ?? DEFAULT_LEASE_SECONDS, moment);
  const changed = await sql.run(takeStep, {
    plan_path: seen.plan_path,
    anchor: seen.anchor,
    seen_status: seen.status,
    seen_claim: seen.claim_seq,
    event,
    worktree: caller.worktree.path,
    worktree_id: caller.worktree.id,
    session_id: caller.session ?? null,
    host_id: moment.hostId,
    boot_id: moment.bootId,
    now: moment.now,
    ...lease,
  });
  if (changed !== 1)
    throw new Failure("store/busy", `${seen.anchor} changed hands at this moment.`, { anchor: seen.anchor });

  await handOver(sql, seen, caller.worktree);
  const fromSession = force === true && seen.session_id !== null && seen.session_id !== caller.session;
  const foreign = !fresh && (fromSession || !isOwn(seen, caller));
  const displaced = foreign
    ? { worktree: seen.claimed_by, session: seen.session_id, claim: seen.claim_seq }
    : null;
  const number = seen.claim_seq + 1;
  await journal(sql, {
    event,
    plan: seen.plan_path,
    anchor: seen.anchor,
    claim: number,
    worktree: caller.worktree.path,
    session: caller.session,
    detail: {
      lease_expires_at: lease.lease_expires_at,
      ...(displaced ? { displaced, forced: force ?? false } : {}),
    },
  });
  return {
    ...(await remaining(sql, seen.plan_path)),
    planPath: seen.plan_path,
    claimed: true,
    anchor: seen.anchor,
    title: seen.title,
    stepIndex: seen.step_index,
    claim: number,
    leaseExpires: lease.lease_expires_at,
    reclaimed: !fresh,
    displaced,
    waiting: [],
  };
}

/** A step given to a session that is over would be free for everybody the same moment. */
async function refuseEndedSession(sql: Sql, id: string | undefined): Promise<void> {
  if (id === undefined) return;
  const session = await sql.get(findSession, { id });
  if (session?.status === "in_progress") return;
  const what = session ? `is over (${session.status})` : "is not known here";
  throw new Failure("session/over", `Session ${id} ${what}.`, {
    session_id: id,
    status: session?.status ?? null,
  });
}

async function nothingClaimed(
  sql: Sql,
  plan: string,
  named: string | undefined,
  moment: Moment,
): Promise<Decision> {
  const counts = await remaining(sql, plan);
  return {
    ...counts,
    planPath: plan,
    claimed: false,
    anchor: null,
    title: null,
    stepIndex: null,
    claim: null,
    leaseExpires: null,
    reclaimed: false,
    displaced: null,
    waiting: counts.allCompleted ? [] : await whyWaits(sql, plan, named, moment),
  };
}

const whyWaits = async (sql: Sql, plan: string, named: string | undefined, moment: Moment) =>
  named === undefined
    ? whyNothing(sql, plan, moment)
    : [await whyWaiting(sql, await stepOf(sql, plan, named), moment)];

async function remaining(sql: Sql, plan: string) {
  const counts = await sql.get(countRemaining, { plan_path: plan, most: COUNT_LIMIT });
  const { ready = 0, open = 0 } = counts ?? {};
  return {
    remainingReady: ready,
    totalRemaining: open,
    remainingCapped: open >= COUNT_LIMIT,
    allCompleted: open === 0,
  };
}
