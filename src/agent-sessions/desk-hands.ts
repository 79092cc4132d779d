import { Failure } from "../domain/errors.ts";
import type { Heart } from "../platform/ports/hearts.ts";
import type { Ports } from "../platform/ports/index.ts";
import type { Worktree } from "../platform/ports/repository.ts";
import { claim, type ClaimAnswer } from "../claims/claim.ts";
import { openSession, type OpenSession } from "../sessions/open-session.ts";
import { savedStep } from "../plans/plan-state.ts";
import type { ClaimedStep } from "../steps/claimed-step.ts";

export interface Supervised {
  readonly session: string;
  readonly plan: string;
  readonly step: string;
  readonly claim: number;
}

/** What a desk has in its hands. */
export interface Hands {
  session: OpenSession | undefined;
  /** The session that is being left: its end may not be on record yet. */
  leaving?: OpenSession | undefined;
  plan: string | undefined;
  held: ClaimedStep | undefined;
  heart: Heart | undefined;
  /** The session was ended because the agent did not answer; its step may be anybody's by now. */
  lapsed: boolean;
  checkpoints: number;
}

export interface Owner {
  readonly ports: Ports;
  readonly worktree: Worktree;
  readonly leaseSeconds: number;
  readonly hands: Hands;
  readonly supervised: Supervised | undefined;
}

export const callerOf = ({ worktree, supervised, hands }: Owner, { claim: number }: ClaimedStep) => ({
  worktree,
  claim: number,
  session: supervised?.session ?? hands.session?.id,
});

/** A session is about one plan; another plan is another session. */
export async function sessionFor({ ports, worktree, hands }: Owner, plan: string): Promise<OpenSession> {
  if (hands.session && hands.plan === plan) return hands.session;
  await hands.session?.end("completed");
  hands.session = undefined;
  await restoreBefore(ports, worktree);
  const session = await openSession(ports, { plan, worktree });
  hands.session = session;
  hands.plan = plan;
  hands.checkpoints = 0;
  return session;
}

/** Only where Pawl puts worktrees: in a person's own, what became empty since may be their work. */
async function restoreBefore(ports: Ports, worktree: Worktree): Promise<void> {
  if ((await ports.worktrees()).nameAt(worktree.path) === undefined) return;
  const { restoreCutShort, uncleanEndIn } = await import("../snapshots/restore-cut-short.ts");
  const unclean = await uncleanEndIn(ports, worktree);
  if (unclean) await restoreCutShort(ports, worktree, unclean);
}

export async function take(owner: Owner, answer: ClaimAnswer): Promise<ClaimedStep> {
  const { hands } = owner;
  const held = { plan: answer.planPath, anchor: answer.anchor!, title: answer.title!, claim: answer.claim! };
  hands.held = held;
  hands.lapsed = false;
  await beat(owner, held);
  return held;
}

async function beat({ ports, worktree, hands, leaseSeconds }: Owner, held: ClaimedStep): Promise<void> {
  const { hearts } = await ports.running();
  hands.heart = hearts.start({
    plan: held.plan,
    step: held.anchor,
    worktree: worktree.path,
    claim: held.claim,
    session: hands.session?.id,
    leaseSeconds,
  });
}

/** The step that a call is about: the one on the desk, or a substep of it. */
export async function addressed(owner: Owner, step: string | undefined) {
  await revive(owner);
  const held = holding(owner);
  return { plan: held.plan, step: step ?? held.anchor, caller: callerOf(owner, held) };
}

export function holding({ hands }: Owner): ClaimedStep {
  if (hands.held) return hands.held;
  throw new Failure("desk/no-step", "You hold no step.", {});
}

/** An agent that comes back goes on where it was, unless somebody has taken the step; then its number is refused. */
export async function revive(owner: Owner): Promise<void> {
  const { ports, worktree, hands, leaseSeconds } = owner;
  const { held } = hands;
  if (!held || !hands.lapsed) return;
  const session = await openSession(ports, { plan: held.plan, worktree });
  const answer = await claim(ports, {
    plan: held.plan,
    step: held.anchor,
    caller: { worktree, session: session.id },
    leaseSeconds,
    start: true,
  }).catch(async (error: unknown) => {
    await session.end("abandoned");
    if (error instanceof Failure && error.problem === "claim/held-by-live-session") return undefined;
    throw error;
  });
  if (answer?.anchor === held.anchor) {
    hands.session = session;
    hands.plan = held.plan;
    hands.checkpoints = 0;
    await take(owner, answer);
  } else if (answer) await session.end("abandoned");
}

/**
 * Whether the claim holds. A heart that stopped because no beat got through (a full disk, a server that was away) has
 * lost nothing as long as nobody has taken the step.
 */
export async function beatsAgain(owner: Owner, held: ClaimedStep): Promise<boolean> {
  const { ports, hands } = owner;
  if (!hands.heart?.isLost()) return true;
  const database = await ports.database();
  const step = await database.read((sql) => savedStep(sql, held.plan, held.anchor));
  if (step.claim_seq !== held.claim) return false;
  await beat(owner, held);
  return true;
}

export async function putDown({ hands }: Owner): Promise<void> {
  await hands.heart?.stop();
  hands.heart = undefined;
  hands.held = undefined;
  hands.lapsed = false;
}
