import { Failure } from "../domain/index.ts";
import type { Heartbeat, Ports, Worktree } from "../platform/ports/index.ts";
import { claim, type ClaimAnswer } from "../claims/index.ts";
import { openSession, type OpenSession } from "../sessions/index.ts";
import { savedStep } from "../plans/index.ts";
import type { ClaimedStep } from "../steps/index.ts";
import { loadRestoreCutShort } from "../snapshots/index.ts";

export interface Supervised {
  readonly session: string;
  readonly plan: string;
  readonly step: string;
  readonly claim: number;
}

/** What an agent session holds. */
export interface AgentSessionState {
  session: OpenSession | undefined;
  /** The session that is being left: its end may not be on record yet. */
  leaving?: OpenSession | undefined;
  plan: string | undefined;
  held: ClaimedStep | undefined;
  heartbeat: Heartbeat | undefined;
  /** The session was ended because the agent did not answer; another worker may have its step by now. */
  lapsed: boolean;
  checkpoints: number;
}

export interface AgentContext {
  readonly ports: Ports;
  readonly worktree: Worktree;
  readonly leaseSeconds: number;
  readonly state: AgentSessionState;
  readonly supervised: Supervised | undefined;
}

export const callerOf = ({ worktree, supervised, state }: AgentContext, { claim: number }: ClaimedStep) => ({
  worktree,
  claim: number,
  session: supervised?.session ?? state.session?.id,
});

/** A session is about one plan; another plan is another session. */
export async function sessionFor(
  { ports, worktree, state }: AgentContext,
  plan: string,
): Promise<OpenSession> {
  if (state.session && state.plan === plan) return state.session;
  await state.session?.end("completed");
  state.session = undefined;
  await restoreBefore(ports, worktree);
  const session = await openSession(ports, { plan, worktree });
  state.session = session;
  state.plan = plan;
  state.checkpoints = 0;
  return session;
}

/** Only where Pawl puts worktrees: in a person's own, what became empty since may be their work. */
async function restoreBefore(ports: Ports, worktree: Worktree): Promise<void> {
  if ((await ports.worktrees()).nameAt(worktree.path) === undefined) return;
  const { restoreCutShort, uncleanEndIn } = await loadRestoreCutShort();
  await restoreCutShort(ports, worktree, await uncleanEndIn(ports, worktree));
}

export async function holdStep(agent: AgentContext, answer: ClaimAnswer): Promise<ClaimedStep> {
  const { state } = agent;
  const held = { plan: answer.planPath, anchor: answer.anchor!, title: answer.title!, claim: answer.claim! };
  state.held = held;
  state.lapsed = false;
  await startHeartbeat(agent, held);
  return held;
}

async function startHeartbeat(
  { ports, worktree, state, leaseSeconds }: AgentContext,
  held: ClaimedStep,
): Promise<void> {
  const { heartbeats } = await ports.running();
  state.heartbeat = heartbeats.start({
    plan: held.plan,
    step: held.anchor,
    worktree: worktree.path,
    claim: held.claim,
    session: state.session?.id,
    leaseSeconds,
  });
}

/** The step that a call is about: the one that is held, or a substep of it. */
export async function addressed(agent: AgentContext, step: string | undefined) {
  await revive(agent);
  const held = holding(agent);
  return { plan: held.plan, step: step ?? held.anchor, caller: callerOf(agent, held) };
}

export function holding({ state }: AgentContext): ClaimedStep {
  if (state.held) return state.held;
  throw new Failure("desk/no-step", "You hold no step.", {});
}

/** An agent that comes back continues where it was, unless another worker has taken the step; then its number is refused. */
export async function revive(agent: AgentContext): Promise<void> {
  const { ports, worktree, state, leaseSeconds } = agent;
  const { held } = state;
  if (!held || !state.lapsed) return;
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
    state.session = session;
    state.plan = held.plan;
    state.checkpoints = 0;
    await holdStep(agent, answer);
  } else if (answer) await session.end("abandoned");
}

/**
 * Whether the claim holds. A heartbeat that stopped because no startHeartbeat got through (a full disk, a server that was away) has
 * lost nothing as long as no other worker has taken the step.
 */
export async function claimHolds(agent: AgentContext, held: ClaimedStep): Promise<boolean> {
  const { ports, state } = agent;
  if (!state.heartbeat?.isLost()) return true;
  const database = await ports.database();
  const step = await database.read((sql) => savedStep(sql, held.plan, held.anchor));
  if (step.claim_seq !== held.claim) return false;
  await startHeartbeat(agent, held);
  return true;
}

export async function dropStep({ state }: AgentContext): Promise<void> {
  await state.heartbeat?.stop();
  state.heartbeat = undefined;
  state.held = undefined;
  state.lapsed = false;
}
