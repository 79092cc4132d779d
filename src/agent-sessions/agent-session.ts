import { Failure, type Instant } from "../domain/index.ts";
import type { Interruption, Ports, Worktree } from "../platform/ports/index.ts";
import { serialQueue } from "../platform/index.ts";
import {
  artifact,
  type ArtifactAnswer,
  type ClaimedStep,
  type ItemChange,
  release,
  type ReleaseAnswer,
  start,
  type StartAnswer,
  update,
  type UpdateAnswer,
} from "../steps/index.ts";
import {
  claim,
  type ClaimAnswer,
  type MissingCommit,
  type MissingWork,
  refuseFilesOfLostStep,
  type Waiting,
} from "../claims/index.ts";
import { finishIntents, keepLate, leaveStatusOut } from "../commits/index.ts";
import { enter, type InterruptionType } from "../sessions/index.ts";
import { RUN_LEASE_SECONDS, type Submission, submitWork } from "../runs/index.ts";
import {
  addressed,
  claimHolds,
  callerOf,
  type AgentSessionState,
  holding,
  type AgentContext,
  dropStep,
  revive,
  sessionFor,
  type Supervised,
  holdStep,
} from "./held-step.ts";
import { forgetChangedBefore, changedBefore, noteChangedBefore } from "./changed-before.ts";
import { leaveSession } from "./leave-session.ts";
import { choosePlan } from "./choose-plan.ts";
import { type Brief, briefOf } from "./step-brief.ts";

export interface AgentSessionRequest {
  /** Left out: the worktree around the current folder. */
  readonly worktree?: string | undefined;
  readonly leaseSeconds?: number | undefined;
  /** What a runner gave to the agent it started: then the step is the runner's, and so is its end. */
  readonly supervised?: Supervised | undefined;
}

export interface AgentClaim {
  readonly claimed: boolean;
  readonly planPath: string;
  readonly brief: Brief | null;
  readonly leaseExpires: Instant | null;
  /** True when this session, or this worktree before, held the step already. */
  readonly again: boolean;
  /** Files that were changed here before the step began; a submission leaves them out unless it names them. */
  readonly alreadyChanged: readonly string[];
  readonly remainingReady: number;
  readonly totalRemaining: number;
  readonly allCompleted: boolean;
  readonly waiting: readonly Waiting[];
  /** Work that the step builds on and that this worktree does not have. */
  readonly missingWork: readonly MissingWork[];
}

/** A submission, and the files that were changed before the step began and are not in it. */
export interface AgentSubmission extends Submission {
  readonly leftOut: readonly string[];
}

/**
 * Where an agent that a person talks to works: a worktree, a session of its own, and at most one step.
 *
 * The number of the claim never leaves the session, so an agent can neither lose it nor show another worker's.
 */
export interface AgentSession {
  readonly worktree: Worktree;
  readonly sessionId: () => string | undefined;
  readonly held: () => ClaimedStep | undefined;
  readonly claim: (request: {
    readonly plan?: string | undefined;
    readonly step?: string | undefined;
    readonly start?: boolean | undefined;
  }) => Promise<AgentClaim>;
  readonly start: (step?: string) => Promise<StartAnswer>;
  readonly update: (request: {
    readonly step?: string | undefined;
    readonly changes: readonly ItemChange[];
    readonly reason?: string | undefined;
  }) => Promise<UpdateAnswer>;
  readonly artifact: (request: {
    readonly step?: string | undefined;
    readonly kind: string;
    readonly summary: string;
    readonly content?: string | undefined;
  }) => Promise<ArtifactAnswer>;
  /** `include` names files that were changed before the step began and belong to it all the same. */
  readonly submit: (
    interruption: Interruption,
    request?: { readonly include?: readonly string[] | undefined },
  ) => Promise<AgentSubmission>;
  readonly release: (reason?: string) => Promise<ReleaseAnswer>;
  /** The agent does not answer: its step is free for any worker. Should it come back first, it continues. */
  readonly lapse: () => Promise<void>;
  /** The agent is gone, or the session moves. */
  readonly leave: (type: InterruptionType) => Promise<void>;
  /** The process ends now, whatever is under way: only that is recorded. */
  readonly leaveAtOnce: (type: InterruptionType) => Promise<void>;
}

export function openAgentSession(ports: Ports, request: AgentSessionRequest): AgentSession {
  const { supervised } = request;
  const path = request.worktree ?? ports.repository.topLevel;
  if (path === undefined)
    throw new Failure("worktree/not-found", "This is not a worktree; agents work in one.", {});
  const worktree = ports.repository.worktree(path);
  const leaseSeconds = request.leaseSeconds ?? RUN_LEASE_SECONDS;
  const state: AgentSessionState = {
    session: undefined,
    plan: undefined,
    held: supervised && {
      plan: supervised.plan,
      anchor: supervised.step,
      title: supervised.step,
      claim: supervised.claim,
    },
    heartbeat: undefined,
    lapsed: false,
    checkpoints: 0,
  };
  const agent = { ports, worktree, leaseSeconds, state, supervised };
  const inTurn = serialQueue();
  const alone =
    <A extends readonly unknown[], T>(work: (...args: A) => Promise<T>) =>
    (...args: A) =>
      inTurn(() => work(...args));
  return {
    worktree,
    sessionId: () => supervised?.session ?? state.session?.id,
    held: () => state.held,
    claim: alone((asked: Parameters<AgentSession["claim"]>[0]) => claimStep(agent, asked)),
    start: alone(async (step?: string) => start(ports, await addressed(agent, step))),
    update: alone(async ({ step, ...rest }: Parameters<AgentSession["update"]>[0]) =>
      update(ports, { ...(await addressed(agent, step)), ...rest }),
    ),
    artifact: alone(async ({ step, ...rest }: Parameters<AgentSession["artifact"]>[0]) =>
      artifact(ports, { ...(await addressed(agent, step)), ...rest }),
    ),
    submit: alone((...asked: Parameters<AgentSession["submit"]>) => submit(agent, ...asked)),
    release: alone((reason?: string) => giveBack(agent, reason)),
    lapse: alone(() => lapse(agent)),
    leave: alone((type: InterruptionType) => leave(agent, type)),
    async leaveAtOnce(type) {
      const session = state.session ?? state.leaving;
      await (state.held ? session?.interrupt({ type }) : session?.end("completed"));
    },
  };
}

async function claimStep(
  agent: AgentContext,
  asked: {
    readonly plan?: string | undefined;
    readonly step?: string | undefined;
    readonly start?: boolean | undefined;
  },
): Promise<AgentClaim> {
  const { ports, worktree, state, supervised, leaseSeconds } = agent;
  const { step, start: begin = true } = asked;
  await revive(agent);
  if (state.held && !state.lapsed) return heldAlready(agent, state.held, asked);
  if (supervised) throw new Failure("desk/supervised", "A run gave you your step.", {});
  const plan = await choosePlan(ports, asked.plan);
  if (state.session === undefined) await enter(ports, { finish: finishIntents });
  await refuseFilesOfLostStep(ports, { worktree, plan, step });
  const session = await sessionFor(agent, plan);
  const answer = await claim(ports, {
    plan,
    step,
    caller: { worktree, session: session.id },
    leaseSeconds,
    start: begin,
  });
  if (answer.anchor === null) return nothing(answer);
  const held = await holdStep(agent, answer);
  const changed = answer.reclaimed
    ? await changedBefore(ports, worktree, held)
    : await noteChangedBefore(ports, worktree, held);
  return {
    ...nothing(answer),
    claimed: true,
    brief: await briefOf(ports, held),
    leaseExpires: answer.leaseExpires,
    again: answer.reclaimed && answer.displaced === null,
    alreadyChanged: changed,
  };
}

const nothing = (answer: ClaimAnswer): AgentClaim => ({
  claimed: false,
  planPath: answer.planPath,
  brief: null,
  leaseExpires: null,
  again: false,
  alreadyChanged: [],
  remainingReady: answer.remainingReady,
  totalRemaining: answer.totalRemaining,
  allCompleted: answer.allCompleted,
  waiting: answer.waiting,
  missingWork: [...answer.missingWork, ...answer.missingCommits.map(notInClone)],
});

const notInClone = ({ anchor, commit }: MissingCommit): MissingWork => ({
  anchor,
  commit,
  reason: "not_here",
  files: [],
});

async function heldAlready(
  { ports }: AgentContext,
  held: ClaimedStep,
  { plan, step }: { readonly plan?: string | undefined; readonly step?: string | undefined },
): Promise<AgentClaim> {
  const isOther =
    (step !== undefined && step.replace(/^#/, "") !== held.anchor) ||
    (plan !== undefined && ports.plans.locate(plan).key !== held.plan);
  if (isOther)
    throw new Failure("desk/one-step", `You hold ${held.anchor} of ${held.plan}.`, {
      plan_path: held.plan,
      anchor: held.anchor,
    });
  return {
    claimed: true,
    planPath: held.plan,
    brief: await briefOf(ports, held),
    leaseExpires: null,
    again: true,
    alreadyChanged: [],
    remainingReady: 0,
    totalRemaining: 0,
    allCompleted: false,
    waiting: [],
    missingWork: [],
  };
}

async function submit(
  agent: AgentContext,
  interruption: Interruption,
  { include = [] }: { readonly include?: readonly string[] | undefined } = {},
): Promise<AgentSubmission> {
  const { ports, state, supervised, worktree, leaseSeconds } = agent;
  await revive(agent);
  const held = holding(agent);
  if (!state.lapsed && (await claimHolds(agent, held))) {
    const leftOut = supervised ? [] : await leftOutOf(agent, held, include);
    const submission = await submitWork(await leaveStatusOut(ports, worktree, held.plan, leftOut), {
      held,
      worktree,
      session: state.session,
      supervised: supervised?.session,
      heart: state.heartbeat,
      leaseSeconds,
      interruption,
      nextCheckpoint: () => (state.checkpoints += 1),
    });
    if (submission.outcome !== "lost") {
      if (submission.outcome === "completed") forgetChangedBefore(ports, worktree);
      if (submission.outcome === "completed" || submission.outcome === "blocked") await dropStep(agent);
      return { ...submission, leftOut };
    }
  }
  const refusal = await keepLate(ports, { held, caller: callerOf(agent, held) });
  await dropStep(agent);
  throw refusal;
}

/** What had changes before the step began, still has them, and is not named. */
async function leftOutOf(
  { ports, worktree }: AgentContext,
  held: ClaimedStep,
  include: readonly string[],
): Promise<readonly string[]> {
  const named = include.map((path) => path.replace(/^\.\//, "").replace(/(?<!\/)\/+$/, ""));
  const isNamed = (file: string) => named.some((path) => file === path || file.startsWith(`${path}/`));
  return (await changedBefore(ports, worktree, held)).filter((file) => !isNamed(file));
}

async function giveBack(agent: AgentContext, reason: string | undefined): Promise<ReleaseAnswer> {
  if (agent.supervised) throw new Failure("desk/supervised", "A run gave you your step.", {});
  await revive(agent);
  const held = holding(agent);
  await agent.state.heartbeat?.stop();
  const answer = await release(agent.ports, {
    plan: held.plan,
    step: held.anchor,
    caller: callerOf(agent, held),
    reason,
  });
  await dropStep(agent);
  return answer;
}

async function lapse(agent: AgentContext): Promise<void> {
  const { ports, state } = agent;
  const { session } = state;
  if (!session || !state.held || state.lapsed) return;
  await state.heartbeat?.stop();
  state.heartbeat = undefined;
  state.session = undefined;
  state.lapsed = true;
  await leaveSession(ports, session, "unknown");
}

async function leave(agent: AgentContext, type: InterruptionType): Promise<void> {
  const { ports, state } = agent;
  const { session, held } = state;
  const { heartbeat } = state;
  state.leaving = session;
  state.session = undefined;
  if (session && held) await leaveSession(ports, session, type);
  else await session?.end("completed");
  await heartbeat?.stop();
  await dropStep(agent);
}
