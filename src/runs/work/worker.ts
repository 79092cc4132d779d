import type { RunSettings } from "../../agents/index.ts";
import type { Workflow } from "../../domain/index.ts";
import type { Interruption, Ports, Running } from "../../platform/ports/index.ts";
import type { CommitAnswer, CommitRequest, Goal } from "../../commits/index.ts";
import type { OpenSession } from "../../sessions/index.ts";
import type { AgentPauses } from "../assign/agent-pauses.ts";
import type { RunConfig } from "../prepare/run-config.ts";
import type { ClaimedStep } from "../../steps/index.ts";
import type { RunBudget } from "./run-budget.ts";
import type { Reporter } from "./run-event.ts";

/** One worker of a run: a session in a worktree of its own, and everything it works with. */
export interface Worker {
  readonly number: number;
  readonly ports: Ports;
  readonly running: Running;
  readonly settings: RunSettings;
  readonly config: RunConfig;
  readonly workflow: Workflow;
  readonly session: OpenSession;
  /** The number of the next checkpoint; counts on over resumes. */
  readonly nextCheckpoint: () => number;
  /** Whether any command was started, by this process or by the one that is resumed. */
  readonly hasBegun: () => boolean;
  /** The plan's key; undefined where there is none. */
  readonly plan: string | undefined;
  /** How the plan is called from where the run was started. */
  readonly operand: string | undefined;
  /** The worktree's branch, and the branch that its commits are brought to; undefined when they stay. */
  readonly branch: string | undefined;
  readonly integration: string | undefined;
  /** Where its commits land, in a worktree that is not its own: an agent or a person works there. */
  readonly goal?: Goal | undefined;
  /** The name of the folder that it checks trees in, where that is not the one beside its worktree. */
  readonly checkFolder?: string | undefined;
  /** The one step that it is about; any when undefined. */
  readonly only: string | undefined;
  readonly interruption: Interruption;
  readonly pauses: AgentPauses;
  /** What a run may use; undefined where a person or an agent works by itself. */
  readonly budget?: RunBudget | undefined;
  readonly report: Reporter;
  /** Tells of something about a step that the answer repeats in the end. */
  readonly warn: (step: string, text: string) => void;
  /** What the commit is to be, where its caller has said more than that the step is done. */
  readonly asked?: AskedCommit | undefined;
}

export interface AskedCommit {
  readonly request: Pick<CommitRequest, "caller" | "message" | "paths" | "allowEmpty" | "requestId" | "call">;
  readonly onAnswer: (answer: CommitAnswer) => void;
}

/** Where a worker's commits land; undefined when they stay on the branch that they are made on. */
export const goalOfWorker = ({ goal, integration, branch }: Worker): Goal | undefined =>
  goal ??
  (integration === undefined || branch === undefined ? undefined : { branch: integration, from: branch });

export const workerCaller = ({ session }: Worker, held: ClaimedStep) => ({
  worktree: session.worktree,
  claim: held.claim,
  session: session.id,
});

/** What every line of the journal about a worker says. */
export const workerEntry = ({ session }: Worker, held: ClaimedStep | undefined) => ({
  ...(held ? { plan: held.plan, anchor: held.anchor, claim: held.claim } : {}),
  worktree: session.worktree.path,
  session: session.id,
});
