import { Failure, isHeld, isOwnerGone, isWorktreeMissing, type LeaseClock } from "../domain/index.ts";
import type { Sql } from "../platform/ports/index.ts";
import { findSession } from "../sessions/index.ts";
import { firstHeldStep } from "./sql/first-held-step.ts";
import { firstOwnStep } from "./sql/first-own-step.ts";
import { awaitReadyStep, firstReadyStep } from "./sql/first-ready-step.ts";
import { firstReclaimableStep } from "./sql/first-reclaimable-step.ts";
import { hasClaimableStep } from "./sql/has-claimable-step.ts";
import { listHeldByHand } from "./sql/list-held-by-hand.ts";
import type { SessionRow, StepRow } from "../platform/index.ts";
import { type Caller, isOwn } from "../steps/index.ts";
import { lockedStep } from "../plans/index.ts";

export interface StepChoice {
  readonly plan: string;
  readonly caller: Caller;
  readonly step: string | undefined;
  readonly force: boolean;
  readonly moment: LeaseClock;
}

/** What is found at the first look, before anything is decided. */
export interface Candidates {
  /** Held by the caller's worktree already. */
  readonly own: StepRow | undefined;
  /** Free, and to be taken unless `own` is or the step is named. */
  readonly ready: StepRow | undefined;
}

/** Asks for both at once: on a server the way there and back costs more than the question. */
export async function findCandidates(
  sql: Sql,
  { plan, caller, step, moment }: StepChoice,
): Promise<Candidates> {
  if (step !== undefined) return { own: undefined, ready: undefined };
  const worktree = { worktree_id: caller.worktree.id, worktree: caller.worktree.path };
  const [own, ready] = await Promise.all([
    sql.get(firstOwnStep, { plan_path: plan, ...worktree, session_id: caller.session ?? null }),
    sql.get(firstReadyStep, { ...lossParams(plan, moment), ...worktree }),
  ]);
  return { own, ready };
}

/**
 * Which step a claim gets: the one its worktree holds already; else the first, by place in the plan, that is free or
 * whose owner is gone; by force, and only when there is none, the first that a worker holds.
 */
export async function chooseStep(
  sql: Sql,
  choice: StepChoice,
  { own, ready }: Candidates,
): Promise<StepRow | undefined> {
  if (choice.step !== undefined) return namedStep(sql, choice, choice.step);
  const { plan, caller, moment, force } = choice;
  const rival = own && (await liveRival(sql, own, caller));
  if (own && rival && !force) throw heldByLiveSession(own, rival);
  // One that waits again would be refused by every verb, and what it waits for could never be claimed from here.
  if (own && !rival && own.unmet_deps === 0 && !waitsForDecision(own, caller)) return own;
  // The first look leaves free steps alone for a caller that holds one; by force it is passed over.
  const free = rival ? await sql.get(firstReadyStep, { ...lossParams(plan, moment), ...NOBODY }) : ready;
  return (
    free ??
    (await sql.get(firstReclaimableStep, lossParams(plan, moment))) ??
    (await abandonedStep(sql, plan, moment)) ??
    // Passed over because a rival had it in its hands: it may be free all the same, and then it is not "nothing".
    (await sql.get(awaitReadyStep, { plan_path: plan })) ??
    (force ? sql.get(firstHeldStep, { plan_path: plan }) : undefined)
  );
}

/** Its plan says something else about it, and the worker that began it is gone. */
const waitsForDecision = ({ bound_to, session_id }: StepRow, { session }: Caller): boolean =>
  bound_to !== null && session_id !== null && session_id !== session;

const NOBODY = { worktree_id: "", worktree: "" };

/** Where and when it is asked whether an owner is gone. */
const lossParams = (plan: string, { hostId, bootId, uptimeMs, now }: LeaseClock) => ({
  plan_path: plan,
  host_id: hostId,
  boot_id: bootId,
  uptime_ms: uptimeMs,
  now,
});

async function namedStep(sql: Sql, choice: StepChoice, name: string): Promise<StepRow | undefined> {
  const step = await lockedStep(sql, choice.plan, name);
  if (step.parent_anchor !== null) {
    throw new Failure(
      "usage/wrong",
      `${step.anchor} is a substep; it goes with its step ${step.parent_anchor}.`,
      {
        anchor: step.anchor,
        parent_anchor: step.parent_anchor,
      },
      { hint: `Claim ${step.parent_anchor} instead.` },
    );
  }
  if (step.unmet_deps > 0) return undefined;
  if (waitsForDecision(step, choice.caller) || (step.bound_to !== null && step.status === "pending"))
    return undefined;
  if (step.status === "pending") return step;
  if (!isHeld(step.status)) return undefined;
  if (choice.force) return step;
  if (!isOwn(step, choice.caller)) return (await ownerIsGone(sql, step, choice.moment)) ? step : undefined;
  const rival = await liveRival(sql, step, choice.caller);
  if (rival) throw heldByLiveSession(step, rival);
  return step;
}

/** The first step that is held from a worktree of this machine that is gone. */
async function abandonedStep(sql: Sql, plan: string, moment: LeaseClock): Promise<StepRow | undefined> {
  const held = await sql.all(listHeldByHand, { plan_path: plan, host_id: moment.hostId });
  return held.find((step) => isWorktreeMissing(step, moment));
}

/** Whether a claim would get a step now. */
export const canClaim = async (sql: Sql, plan: string, moment: LeaseClock): Promise<boolean> =>
  (await sql.get(hasClaimableStep, lossParams(plan, moment))) !== undefined ||
  (await abandonedStep(sql, plan, moment)) !== undefined;

/** Whether the owner of a held step is gone, as `firstReclaimableStep` decides it. */
export async function ownerIsGone(sql: Sql, step: StepRow, moment: LeaseClock): Promise<boolean> {
  const { session_id: id } = step;
  return isOwnerGone(step, id === null ? undefined : await sql.get(findSession, { id }), moment);
}

/** Two processes in one worktree: the path is the same, the owner is not. */
async function liveRival(sql: Sql, own: StepRow, caller: Caller): Promise<SessionRow | undefined> {
  if (own.session_id === null || own.session_id === caller.session) return undefined;
  const session = await sql.get(findSession, { id: own.session_id });
  return session?.status === "in_progress" ? session : undefined;
}

const heldByLiveSession = (own: StepRow, rival: SessionRow): Failure =>
  new Failure(
    "claim/held-by-live-session",
    `${own.anchor} is held in this worktree by session ${rival.id} (pid ${rival.pid}), which is running.`,
    {
      anchor: own.anchor,
      session_id: rival.id,
      pid: rival.pid,
      started_at: rival.started_at,
      claim: own.claim_seq,
    },
  );
