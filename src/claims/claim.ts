import {
  bareAnchor,
  DEFAULT_LEASE_SECONDS,
  Failure,
  grantLease,
  type Instant,
  type LeaseClock,
} from "../domain/index.ts";
import { NOW, type PlanContent, type PlanLocation, type Ports, type Sql } from "../platform/ports/index.ts";
import {
  changedHands,
  notSaved,
  callsDone,
  isAsSaved,
  rememberFormat,
  savedStep,
  type TransactOutcome,
  transactUnless,
} from "../plans/index.ts";
import { begin, type Caller, findLostGrant, isOwn, keptWorkOf } from "../steps/index.ts";
import { deadSessions, leaseClockAt, leaseClockOf, loadTakeOver, lockSession } from "../sessions/index.ts";
import { listOpenIntents } from "../commits/index.ts";
import { listNeededCommits, type NeededCommit } from "./sql/list-needed-commits.ts";
import { findPlanForClaim } from "./sql/find-plan-for-claim.ts";
import type { StepRow } from "../platform/index.ts";
import { takeStep } from "./sql/take-step.ts";
import { takeSubsteps } from "./sql/take-substeps.ts";
import { journal, type Repeatable, type VerbCall } from "../journal/index.ts";
import { type Errand, ERRANDS } from "./errands.ts";
import { chooseStep, findCandidates, type StepChoice } from "./choose-step.ts";
import type { Foundation } from "./bring-foundation.ts";
import { refuseEndedSession } from "./refuse-ended-session.ts";
import { remaining } from "./remaining.ts";
import { resetItems } from "./reset-items.ts";
import { editedSteps, offeredSteps, whyNothing, whyWaiting, type Waiting } from "./why-nothing.ts";

export interface ClaimRequest extends Repeatable {
  readonly plan: string;
  readonly caller: Caller;
  readonly leaseSeconds?: number | undefined;
  /** A certain step instead of the next one. */
  readonly step?: string | undefined;
  /** Takes a step from its owner when nothing is free. Never past a dependency. */
  readonly force?: boolean | undefined;
  /** Also starts the step: for workers that begin at once, one transaction less. */
  readonly start?: boolean | undefined;
  /** Leaves the worktree as it is although it lacks work that the step builds on: the caller sees to that. */
  readonly asItIs?: boolean | undefined;
  /** Done first in the transaction of the claim. */
  readonly before?: ((sql: Sql) => Promise<void>) | undefined;
}

export interface ClaimAnswer extends Foundation {
  readonly planPath: string;
  readonly claimed: boolean;
  /** Whether it was started too, because the caller asked for that. */
  readonly started: boolean;
  readonly anchor: string | null;
  readonly title: string | null;
  readonly stepIndex: number | null;
  /** The number to show with every later call. */
  readonly claim: number | null;
  readonly leaseExpires: Instant | null;
  readonly reclaimed: boolean;
  /** Whom the step was taken from, if a worker held it. */
  readonly displaced: {
    readonly worktree: string | null;
    readonly session: string | null;
    readonly claim: number;
  } | null;
  /** The snapshot of the work that its last owner left in a worktree which is gone. */
  readonly savedWork: string | null;
  readonly remainingReady: number;
  readonly totalRemaining: number;
  /** True when the two counts above are only lower bounds. */
  readonly remainingCapped: boolean;
  readonly allCompleted: boolean;
  /** What changed in the plan since it was read, in one line each. */
  readonly notes: readonly string[];
  /** When nothing was claimed: why, for the step that was named, else for each open one. */
  readonly waiting: readonly Waiting[];
}

/** What the transaction decides; which of the needed commits are here is for git to say, each time it is asked. */
type Decision = Omit<ClaimAnswer, keyof Foundation | "notes"> & {
  /** Not there in answers that were kept by an earlier version. */
  readonly needed?: readonly NeededCommit[];
};

/**
 * Hands one ready step to a worker.
 *
 * A claim is a number and a deadline. The number protects the work: it grows with every claim, each later write
 * carries it, and the store refuses an old one. The deadline only says when others may try. So a worker that sleeps
 * through its deadline can waste its own time, but no other worker's work.
 */
export async function claim(ports: Ports, request: ClaimRequest): Promise<ClaimAnswer> {
  const done = new Set<Errand>();
  const notes: string[] = [];
  for (;;) {
    const outcome = await decide(ports, request, done);
    if ("answer" in outcome) return { ...(await withFoundation(ports, request, outcome.answer)), notes };
    done.add(outcome.first);
    notes.push(...((await ERRANDS[outcome.first](ports, request)) ?? []));
  }
}

/** One transaction: finds what there is, refuses, chooses a step and takes it; or says what must happen first. */
async function decide(
  ports: Ports,
  request: ClaimRequest,
  done: ReadonlySet<Errand>,
): Promise<TransactOutcome<Decision, Errand>> {
  const location = ports.plans.locate(request.plan);
  const file = readIfThere(ports, location);
  const { caller, step } = request;
  return transactUnless(ports, callOf(location.key, request), async (sql) => {
    await request.before?.(sql);
    const { candidates, found, session, lost } = await find(ports, sql, location.key, request);
    const plan = rememberFormat(sql, found ?? notSaved(location.key));
    if (plan.running > 0 && (await deadSessions(ports, sql)).length > 0) return { first: "enter" };
    if (!done.has("grow") && (plan.loose > 0 || !file || !(await isAsSaved(ports, sql, plan, file))))
      return { first: "grow" };
    refuseEndedSession(caller.session, session);
    if (lost && !done.has("check-lost-work")) return { first: "check-lost-work" };
    const moment = leaseClockOf(ports, sql);
    const chosen = await chooseStep(sql, choiceOf(location.key, request, moment), candidates);
    if (!done.has("grow") && file && (await callsDone(sql, plan, file, chosen))) return { first: "grow" };
    if (!chosen) return { answer: await nothingClaimed(sql, location.key, step, moment) };
    // Once: what could not be finished is done again by the worker that gets the step.
    if (!done.has("finish-commits") && (await hasCommitOfFormerOwner(sql, chosen, caller)))
      return { first: "finish-commits" };
    const savedWork = await savedWorkOf(ports, sql, chosen, caller);
    return { answer: { ...(await take(sql, chosen, request, moment)), savedWork } };
  });
}

/**
 * Asked before the step is taken: a claim ends what was kept for its last owner. A step that recovery freed has none any
 * more, but its work; a runner brings that back by itself.
 */
async function savedWorkOf(
  { files }: Ports,
  sql: Sql,
  step: StepRow,
  { session }: Caller,
): Promise<string | null> {
  const isFreed = step.status === "pending" && step.last_worktree_id !== null && session === undefined;
  const isTaken = step.session_id !== null && step.claimed_by !== null && !files.exists(step.claimed_by);
  if (!isFreed && !isTaken) return null;
  const kept = await keptWorkOf(sql, step.plan_path, step.anchor);
  if (kept === undefined) return null;
  return isTaken || (kept.worktree !== undefined && !files.exists(kept.worktree)) ? kept.ref : null;
}

/** Undefined for what cannot be read: whether a commit has it is asked next. */
function readIfThere({ plans }: Ports, location: PlanLocation): PlanContent | undefined {
  try {
    return location.path === undefined ? undefined : plans.read(location);
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}

const callOf = (
  key: string,
  { caller, step, force = false, start = false, leaseSeconds, requestId }: ClaimRequest,
): VerbCall => ({
  verb: "claim",
  subject: [
    key,
    caller.worktree.id,
    caller.session,
    step && bareAnchor(step),
    force,
    leaseSeconds,
    ...(start ? ["start"] : []),
  ],
  requestId,
  atOnce: true,
});

/** All that a claim asks about, asked at once: on a server the way there and back costs more than the questions. */
async function find(ports: Ports, sql: Sql, key: string, request: ClaimRequest) {
  const { caller, force = false } = request;
  // A session works where no other session left anything, or has looked; by force a person has decided.
  const isLostAsked = caller.session === undefined && !force;
  const [session, candidates, found, lost] = await Promise.all([
    // First of all, because a process that ends a session locks it before its steps.
    caller.session === undefined ? undefined : sql.get(lockSession, { id: caller.session }),
    findCandidates(sql, choiceOf(key, request, leaseClockAt(ports, NOW))),
    sql.get(findPlanForClaim, { plan_path: key, host_id: ports.machine.hostId }),
    isLostAsked
      ? sql.get(findLostGrant, { worktree: caller.worktree.path, besides_plan: null, besides_anchor: null })
      : undefined,
  ]);
  return { candidates, found, session, lost };
}

const choiceOf = (
  plan: string,
  { caller, step, force = false }: ClaimRequest,
  moment: LeaseClock,
): StepChoice => ({ plan, caller, step, force, moment });

/** Whether the last owner of a step had begun to commit it, or one of its substeps. */
async function hasCommitOfFormerOwner(sql: Sql, step: StepRow, caller: Caller): Promise<boolean> {
  if (step.status === "pending" || isOwn(step, caller)) return false;
  const { plan_path, claim_seq, worktree_id } = step;
  return (await sql.all(listOpenIntents, {})).some(
    (intent) =>
      intent.plan_path === plan_path && intent.claim === claim_seq && intent.worktree_id === worktree_id,
  );
}

/** The step is taken by now. Its former agent is stopped, and the worktree brought to the work that it builds on. */
async function withFoundation(
  ports: Ports,
  { caller: { worktree }, asItIs = false }: ClaimRequest,
  { needed = [], ...answer }: Decision,
): Promise<Omit<ClaimAnswer, "notes">> {
  const { planPath: plan, anchor } = answer;
  if (answer.reclaimed) {
    // The former owner is fenced off; an agent that it left running would still write files.
    const { stopLeftOvers } = await loadTakeOver();
    await stopLeftOvers(ports, { plan, anchor: anchor ?? undefined });
  }
  const isMain = worktree.path === ports.repository.mainTopLevel;
  if (needed.length === 0 || (isMain && !ports.storeIsShared)) return { ...answer, ...WHOLE };
  const { bringFoundation } = await import("./bring-foundation.ts");
  return { ...answer, ...(await bringFoundation(ports, { plan, worktree, needed, asItIs })) };
}

const WHOLE: Foundation = { missingCommits: [], missingWork: [], broughtTo: null };

async function take(
  sql: Sql,
  seen: StepRow,
  { caller, leaseSeconds, force, start = false }: ClaimRequest,
  moment: LeaseClock,
): Promise<Omit<Decision, "savedWork">> {
  const { plan_path, anchor } = seen;
  const fresh = seen.status === "pending";
  const event = fresh ? "claimed" : "reclaimed";
  const lease = grantLease(leaseSeconds ?? DEFAULT_LEASE_SECONDS, moment);
  const displaced = fresh ? null : displacedBy(seen, caller, force ?? false);
  const number = seen.claim_seq + 1;
  const [changed, counts, needed] = await Promise.all([
    sql.run(takeStep, { ...whatWasSeen(seen), ...whoTakes(caller, moment), ...lease, event }),
    remaining(sql, plan_path),
    sql.all(listNeededCommits, { plan_path, anchor }),
    sql.run(takeSubsteps, { plan_path, anchor }),
    resetItems(sql, seen, caller.worktree),
    journal(sql, {
      event,
      plan: plan_path,
      anchor,
      claim: number,
      worktree: caller.worktree.path,
      session: caller.session,
      detail: {
        lease_expires_at: lease.lease_expires_at,
        ...(displaced ? { displaced, forced: force ?? false } : {}),
      },
    }),
    start
      ? begin(sql, { ...seen, status: "claimed", claim_seq: number }, { ...caller, claim: number })
      : undefined,
  ]);
  if (changed !== 1) throw changedHands(seen);
  return {
    ...counts,
    planPath: plan_path,
    claimed: true,
    started: start,
    anchor,
    title: seen.title,
    stepIndex: seen.step_index,
    claim: number,
    leaseExpires: lease.lease_expires_at,
    reclaimed: !fresh,
    displaced,
    waiting: [],
    needed,
  };
}

const whatWasSeen = ({ plan_path, anchor, status, claim_seq }: StepRow) => ({
  plan_path,
  anchor,
  seen_status: status,
  seen_claim: claim_seq,
});

const whoTakes = ({ worktree, session }: Caller, { hostId, bootId, now }: LeaseClock) => ({
  worktree: worktree.path,
  worktree_id: worktree.id,
  session_id: session ?? null,
  host_id: hostId,
  boot_id: bootId,
  now,
});

/** The worker that held the step before, unless that was the caller itself: by force it is taken even from a living session here. */
function displacedBy(seen: StepRow, caller: Caller, force: boolean): ClaimAnswer["displaced"] {
  const fromSession = force && seen.session_id !== null && seen.session_id !== caller.session;
  if (isOwn(seen, caller) && !fromSession) return null;
  return { worktree: seen.claimed_by, session: seen.session_id, claim: seen.claim_seq };
}

async function nothingClaimed(
  sql: Sql,
  plan: string,
  named: string | undefined,
  moment: LeaseClock,
): Promise<Decision> {
  const counts = await remaining(sql, plan);
  const edited = counts.allCompleted ? await editedSteps(sql, plan, moment) : [];
  return {
    ...counts,
    allCompleted: counts.allCompleted && edited.length === 0,
    planPath: plan,
    claimed: false,
    started: false,
    anchor: null,
    title: null,
    stepIndex: null,
    claim: null,
    leaseExpires: null,
    reclaimed: false,
    displaced: null,
    savedWork: null,
    needed: [],
    waiting: counts.allCompleted
      ? [...edited, ...(await offeredSteps(sql, plan, moment))]
      : await whyWaits(sql, plan, named, moment),
  };
}

const whyWaits = async (sql: Sql, plan: string, named: string | undefined, moment: LeaseClock) =>
  named === undefined
    ? whyNothing(sql, plan, moment)
    : [await whyWaiting(sql, await savedStep(sql, plan, named), moment)];
