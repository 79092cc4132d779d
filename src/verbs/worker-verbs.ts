import type { ArtifactAnswer } from "../steps/artifact.ts";
import type { Caller, Repeatable, StepAddress } from "../steps/caller.ts";
import type { ClaimAnswer } from "../claims/claim.ts";
import type { CommitAnswer } from "../commits/commit.ts";
import type { CompleteAnswer } from "../steps/complete.ts";
import type { FinishIntentsRequest, IntentReport } from "../commits/finish-intents.ts";
import type { HeartbeatAnswer } from "../steps/heartbeat.ts";
import type { OpenSession } from "../sessions/open-session.ts";
import type { SeenStep } from "../steps/refuse-stale.ts";
import type { ReleaseAnswer } from "../steps/release.ts";
import type { SaveAgainAnswer, SaveAgainRequest } from "../plans/save-again.ts";
import type { SaveAnswer, SaveRequest } from "../plans/save.ts";
import type { StartAnswer } from "../steps/start.ts";
import type { ItemChange, UpdateAnswer } from "../steps/update.ts";
import type { VerifiedCommit } from "../runs/commit-verified.ts";
import type { WorkerEvent } from "../runs/work/run-event.ts";
import type { Ports } from "../platform/ports/index.ts";
import type { Interruption } from "../platform/ports/interruption.ts";
import { once } from "../platform/once.ts";

/** Who calls: the worktree, and whatever else the caller was given. */
export interface Who {
  /** Path of the worktree the work happens in. */
  readonly worktree: string;
  /** The number `claim` answered with. */
  readonly claim?: number | undefined;
  /** The id of the session the caller belongs to. */
  readonly session?: string | undefined;
}

export type WorkerCall = StepAddress & Who & Repeatable;

/** The verbs of whoever works on a step, from the plan to the completion. */
export interface WorkerVerbs {
  init(request: SaveRequest): Promise<SaveAnswer>;
  reinit(request: SaveAgainRequest): Promise<SaveAgainAnswer>;
  claim(
    request: Who &
      Repeatable & {
        readonly plan: string;
        readonly leaseSeconds?: number | undefined;
        readonly step?: string | undefined;
        readonly force?: boolean | undefined;
        readonly start?: boolean | undefined;
      },
  ): Promise<ClaimAnswer>;
  start(request: WorkerCall): Promise<StartAnswer>;
  heartbeat(request: WorkerCall & { readonly leaseSeconds?: number | undefined }): Promise<HeartbeatAnswer>;
  update(
    request: WorkerCall & { readonly changes: readonly ItemChange[]; readonly reason?: string | undefined },
  ): Promise<UpdateAnswer>;
  artifact(
    request: WorkerCall & {
      readonly kind: string;
      readonly summary: string;
      readonly content?: string | undefined;
    },
  ): Promise<ArtifactAnswer>;
  complete(
    request: WorkerCall & { readonly commit?: string | undefined; readonly forceReason?: string | undefined },
  ): Promise<CompleteAnswer>;
  /**
   * Commits what changed in the worktree, or exactly some paths, and completes the step with it; where the settings name
   * checks, only what has passed them.
   */
  commit(
    request: WorkerCall & {
      readonly message?: string | undefined;
      readonly paths?: readonly string[] | undefined;
      readonly allowEmpty?: boolean | undefined;
      /** Why a person has it committed without those checks. */
      readonly unverified?: string | undefined;
      /** Asked for only where something is verified: until then a signal ends the process as ever. */
      readonly interruption?: (() => Interruption) | undefined;
      readonly onEvent?: ((event: WorkerEvent) => void) | undefined;
    },
  ): Promise<CommitAnswer | VerifiedCommit>;
  /** Finishes commits that owners who are gone had begun, and tells of the others. */
  finishIntents(request?: FinishIntentsRequest): Promise<readonly IntentReport[]>;
  /** Without a worktree the step is taken from whoever holds it. */
  release(
    request: StepAddress &
      Partial<Who> &
      Repeatable & { readonly reason?: string | undefined; readonly seen?: SeenStep | undefined },
  ): Promise<ReleaseAnswer>;
  /** Starts a supervised session: its steps are safe while this process lives, and free the moment it dies. */
  openSession(request: {
    readonly plan?: string | undefined;
    readonly worktree: string;
  }): Promise<OpenSession>;
}

// What every step goes through is remembered: looking a module up again costs as much as a statement.
const claimFlow = once(() => import("../claims/claim.ts"));
const startFlow = once(() => import("../steps/start.ts"));
const completeFlow = once(() => import("../steps/complete.ts"));

export function workerVerbs(ports: Ports): WorkerVerbs {
  const caller = ({ worktree, claim, session }: Who): Caller => ({
    worktree: ports.repository.worktree(worktree),
    claim,
    session,
  });
  return {
    init: async (request) => (await import("../plans/save.ts")).save(ports, request),
    reinit: async (request) => (await import("../plans/save-again.ts")).saveAgain(ports, request),
    claim: async (request) => (await claimFlow()).claim(ports, { ...request, caller: caller(request) }),
    start: async (request) => (await startFlow()).start(ports, { ...request, caller: caller(request) }),
    heartbeat: async (request) =>
      (await import("../steps/heartbeat.ts")).heartbeat(ports, { ...request, caller: caller(request) }),
    update: async (request) =>
      (await import("../steps/update.ts")).update(ports, { ...request, caller: caller(request) }),
    artifact: async (request) =>
      (await import("../steps/artifact.ts")).artifact(ports, { ...request, caller: caller(request) }),
    complete: async (request) =>
      (await completeFlow()).complete(ports, { ...request, caller: caller(request) }),
    async commit(request) {
      const asked = { ...request, caller: caller(request) };
      // Whoever has set nothing to verify with pays nothing for it.
      if (ports.settings.tables?.verify === undefined || request.unverified !== undefined)
        return (await import("../commits/commit.ts")).commit(ports, asked);
      return (await import("../runs/commit-verified.ts")).commitVerified(ports, asked);
    },
    finishIntents: async (request = {}) =>
      (await import("../commits/finish-intents.ts")).finishIntents(ports, request),
    release: async ({ worktree, claim, session, ...request }) =>
      (await import("../steps/release.ts")).release(ports, {
        ...request,
        caller: worktree === undefined ? undefined : caller({ worktree, claim, session }),
      }),
    openSession: async ({ plan, worktree }) =>
      (await import("../sessions/open-session.ts")).openSession(ports, {
        plan,
        worktree: ports.repository.worktree(worktree),
      }),
  };
}
