import type { BeatAnswer } from "./flow/agent/beat-here.ts";
import type { PlanChecked } from "./flow/agent/check-plan.ts";
import type { Desk, DeskRequest } from "./flow/agent/desk.ts";
import type { PrimeAnswer, PrimeRequest } from "./flow/agent/prime.ts";
import type { RecoverReport } from "./flow/agent/recover-report.ts";
import type { WhatIsLeft } from "./flow/agent/what-is-left.ts";
import type { ArtifactAnswer } from "./flow/artifact.ts";
import type { Caller, Repeatable, StepAddress } from "./flow/caller.ts";
import type { ClaimAnswer } from "./flow/claim.ts";
import type { CommitAnswer } from "./flow/commit.ts";
import type { CompleteAnswer } from "./flow/complete.ts";
import type { CopyAnswer, CopyRequest } from "./flow/copy-store.ts";
import type { DoctorAnswer } from "./flow/doctor.ts";
import type { DropSnapshotAnswer, DropSnapshotRequest } from "./flow/drop-snapshot.ts";
import type { EventsRequest, EventView } from "./flow/events.ts";
import type { ExplainAnswer, ExplainRequest } from "./flow/explain.ts";
import type { FinishIntentsRequest, IntentReport } from "./flow/finish-intents.ts";
import type { HeartbeatAnswer } from "./flow/heartbeat.ts";
import type { PlanSummary } from "./flow/list.ts";
import type { Attention } from "./flow/look/attention.ts";
import type { JournalPage, JournalPageRequest } from "./flow/look/journal-page.ts";
import type { Overview } from "./flow/look/overview.ts";
import type { StoppedStep } from "./flow/look/stopped-steps.ts";
import type { StepHistory } from "./flow/look/step-history.ts";
import type { StepLinesAnswer, StepLinesRequest } from "./flow/look/step-lines.ts";
import type { Lifeline, TimelineRequest } from "./flow/look/timeline.ts";
import type { OpenSession } from "./flow/open-session.ts";
import type { OperatorAnswer, OperatorRequest } from "./flow/operate.ts";
import type { PlanView } from "./flow/plan-view.ts";
import type { PrepareAnswer } from "./flow/prepare.ts";
import type { PruneAnswer, PruneRequest } from "./flow/prune.ts";
import type { ReadyAnswer } from "./flow/ready.ts";
import type { ReconcileAnswer, ReconcileRequest } from "./flow/reconcile.ts";
import type { ReleaseAnswer } from "./flow/release.ts";
import type { RecoverAllRequest } from "./flow/recover/recover-all.ts";
import type { RecoverAnswer } from "./flow/recover/recover.ts";
import type { RestoreSnapshotAnswer, RestoreSnapshotRequest } from "./flow/restore-snapshot.ts";
import type { RestoreAnswer } from "./flow/restore.ts";
import type {
  AbandonAnswer,
  AbandonRequest,
  CleanSessionsAnswer,
  CleanSessionsRequest,
} from "./flow/run/end-sessions.ts";
import type { ImproveRequest } from "./flow/run/improve.ts";
import type { ResumeRequest } from "./flow/run/resume.ts";
import type { LogText, ReadLogRequest } from "./flow/run/read-log.ts";
import type { RunPreview } from "./flow/run/preview-run.ts";
import type { RunAnswer, RunRequest } from "./flow/run/run-plan.ts";
import type { SessionDetail, SessionRequest, SessionsRequest, SessionView } from "./flow/run/session-view.ts";
import type { VerifyAnswer, VerifyRequest } from "./flow/run/verify-now.ts";
import type { SeenStep } from "./flow/refuse-stale.ts";
import type { SaveAgainAnswer, SaveAgainRequest } from "./flow/save-again.ts";
import type { SaveAnswer, SaveRequest } from "./flow/save.ts";
import type { SnapshotView } from "./flow/show-snapshot.ts";
import type { StartAnswer } from "./flow/start.ts";
import type { StepDetail } from "./flow/step-detail.ts";
import type { TakeSnapshotAnswer } from "./flow/take-snapshot.ts";
import type { ItemChange, UpdateAnswer } from "./flow/update.ts";
import type { CleanAnswer, CleanRequest } from "./flow/worktree-clean.ts";
import type { CreateAnswer, CreateRequest } from "./flow/worktree-create.ts";
import type { ListAnswer } from "./flow/worktree-list.ts";
import type { MergeAnswer, MergeRequest } from "./flow/worktree-merge.ts";
import type { RemoveAnswer, RemoveRequest } from "./flow/worktree-remove.ts";
import type { CommitText } from "./ports/git.ts";
import { once } from "./once.ts";
import type { Ports } from "./ports/index.ts";
import type { Snapshot } from "./ports/snapshots.ts";
import {
  agentVerbs,
  lookVerbs,
  operatorVerbs,
  readVerbs,
  recoverVerbs,
  runVerbs,
  snapshotVerbs,
  worktreeVerbs,
} from "./verbs.ts";

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

/** The verbs of Pawl for one repository. Every one is a transaction; every refusal is a `Failure`. */
export interface Pawl {
  prepare(): Promise<PrepareAnswer>;
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
  /** Commits what changed in the worktree, or exactly some paths, and completes the step with it. */
  commit(
    request: WorkerCall & {
      readonly message?: string | undefined;
      readonly paths?: readonly string[] | undefined;
      readonly allowEmpty?: boolean | undefined;
    },
  ): Promise<CommitAnswer>;
  /** Finishes commits that owners who are gone had begun, and tells of the others. */
  finishIntents(request?: FinishIntentsRequest): Promise<readonly IntentReport[]>;
  /** Without a worktree the step is taken from whoever holds it. */
  release(
    request: StepAddress &
      Partial<Who> &
      Repeatable & { readonly reason?: string | undefined; readonly seen?: SeenStep | undefined },
  ): Promise<ReleaseAnswer>;
  reset(request: OperatorRequest): Promise<OperatorAnswer>;
  hold(request: OperatorRequest): Promise<OperatorAnswer>;
  retry(request: OperatorRequest): Promise<OperatorAnswer>;
  reopen(request: OperatorRequest): Promise<OperatorAnswer>;
  reconcile(request: ReconcileRequest): Promise<ReconcileAnswer>;
  show(request: { readonly plan: string }): Promise<PlanView>;
  showAll(): Promise<readonly PlanView[]>;
  ready(request: { readonly plan: string }): Promise<ReadyAnswer>;
  /** One step with its items and artifacts in full. */
  step(request: StepAddress): Promise<StepDetail>;
  list(): Promise<readonly PlanSummary[]>;
  events(request?: EventsRequest): Promise<readonly EventView[]>;
  explain(request: ExplainRequest): Promise<ExplainAnswer>;
  prune(request?: PruneRequest): Promise<PruneAnswer>;
  restore(request: { readonly path: string }): Promise<RestoreAnswer>;
  doctor(request?: { readonly fix?: boolean | undefined }): Promise<DoctorAnswer>;
  /** Gives a plan a worktree and a branch of its own, or finds the ones it has. */
  createWorktree(request: CreateRequest): Promise<CreateAnswer>;
  listWorktrees(request?: { readonly size?: boolean | undefined }): Promise<ListAnswer>;
  /** Saves what is unsaved, then takes the worktree down; refuses one that somebody works in. */
  removeWorktree(request: RemoveRequest): Promise<RemoveAnswer>;
  cleanWorktrees(request?: CleanRequest): Promise<CleanAnswer>;
  /** Brings a plan's branch to its base, whole or not at all. */
  mergeWorktree(request: MergeRequest): Promise<MergeAnswer>;
  /** Copies all state from one store to the other, verified; the other must be empty or hold the same. */
  copyStore(request: CopyRequest): Promise<CopyAnswer>;
  /** Keeps what is not committed in a worktree; the caller's own unless said otherwise. */
  takeSnapshot(request?: {
    readonly worktree?: string | undefined;
    readonly reason?: string | undefined;
  }): Promise<TakeSnapshotAnswer>;
  listSnapshots(request?: { readonly worktree?: string | undefined }): Promise<readonly Snapshot[]>;
  showSnapshot(request: { readonly name: string }): Promise<SnapshotView>;
  restoreSnapshot(request: RestoreSnapshotRequest): Promise<RestoreSnapshotAnswer>;
  dropSnapshot(request: DropSnapshotRequest): Promise<DropSnapshotAnswer>;
  /** Starts a supervised session: its steps are safe while this process lives, and free the moment it dies. */
  openSession(request: {
    readonly plan?: string | undefined;
    readonly worktree: string;
  }): Promise<OpenSession>;
  /** Finds what crashes, timeouts and edits have left; repairs what can be proven, asks about the rest. */
  recover(request?: RecoverAllRequest): Promise<RecoverAnswer>;
  /** The same for one plan, as far as the last clean end makes it necessary: before a run, with somebody to ask. */
  prepareRun(
    request: Omit<RecoverAllRequest, "answers" | "dryRun"> & { readonly plan: string },
  ): Promise<RecoverAnswer>;
  /** Drives agents through a plan. */
  run(request: RunRequest): Promise<RunAnswer>;
  /** Says what a run would do, and does nothing. */
  previewRun(request: RunRequest): Promise<RunPreview>;
  /** Takes up what was interrupted, where it was interrupted. */
  resume(request?: ResumeRequest): Promise<RunAnswer>;
  /** Runs a workflow that needs no plan, again and again. */
  improve(request: ImproveRequest): Promise<RunAnswer>;
  /** Verifies a step now; what passes is committed and completed. */
  verify(request: VerifyRequest): Promise<VerifyAnswer>;
  listSessions(request?: SessionsRequest): Promise<readonly SessionView[]>;
  showSession(request: SessionRequest): Promise<SessionDetail>;
  /** What an agent of a session said, in words. */
  readLog(request: ReadLogRequest): Promise<LogText>;
  /** Decides that an interrupted session is not resumed; its work stays. */
  abandonSession(request: AbandonRequest): Promise<AbandonAnswer>;
  cleanSessions(request?: CleanSessionsRequest): Promise<CleanSessionsAnswer>;
  /** Brings back the uncommitted work that a session left. */
  restoreSession(request: {
    readonly id: string;
    readonly to?: string | undefined;
  }): Promise<RestoreSnapshotAnswer>;
  /** What an agent in a worktree must know now. */
  prime(request?: PrimeRequest): Promise<PrimeAnswer>;
  /** A place for an agent that a person talks to; the claim's number stays inside. */
  openDesk(request?: DeskRequest): Promise<Desk>;
  /** What is wrong with a plan of this repository. */
  checkPlan(request: { readonly plan: string }): Promise<PlanChecked>;
  /** What is broken or left over, and who can mend it. Changes nothing. */
  recoverReport(): Promise<RecoverReport>;
  /** An agent used a tool: renews the claim of its worktree, now and then. */
  beatHere(request?: { readonly worktree?: string | undefined }): Promise<BeatAnswer>;
  /** What an agent that wants to stop leaves undone; told once. */
  whatIsLeft(request: {
    readonly worktree?: string | undefined;
    readonly conversation: string;
  }): Promise<WhatIsLeft>;
  /** Before an agent's memory is cut short. */
  handOver(request: {
    readonly worktree?: string | undefined;
    readonly trigger: string;
    readonly note: string;
  }): Promise<{ readonly written: boolean }>;
  /** An agent ended in order. */
  leaveCleanly(): Promise<{ readonly written: boolean }>;
  /** What there is, at a glance. */
  overview(): Promise<Overview>;
  /** What waits for a person, the most pressing first. */
  attention(): Promise<readonly Attention[]>;
  /** Steps that are blocked or on hold. */
  stoppedSteps(): Promise<readonly StoppedStep[]>;
  /** A page of a plan's steps. */
  stepLines(request: StepLinesRequest): Promise<StepLinesAnswer>;
  /** What was tried for a step and what was found. */
  stepHistory(request: StepAddress): Promise<StepHistory>;
  /** The journal backwards, in pages. */
  journalPage(request?: JournalPageRequest): Promise<JournalPage>;
  /** The number of the newest line of the journal; sessions that died are noticed. */
  newestLine(): Promise<number>;
  /** Who worked on what when. */
  timeline(request?: TimelineRequest): Promise<readonly Lifeline[]>;
  /** A commit for people to read. */
  commitView(request: { readonly commit: string }): Promise<CommitText>;
  close(): Promise<void>;
}

// What every step goes through is remembered: looking a module up again costs as much as a statement.
const claimFlow = once(() => import("./flow/claim.ts"));
const startFlow = once(() => import("./flow/start.ts"));
const completeFlow = once(() => import("./flow/complete.ts"));

/** Binds the verbs to ports. Each loads when it is first called, so a short process pays for one verb only. */
export function pawlOn(ports: Ports): Pawl {
  const caller = ({ worktree, claim, session }: Who): Caller => ({
    worktree: ports.repository.worktree(worktree),
    claim,
    session,
  });
  return {
    prepare: async () => (await import("./flow/prepare.ts")).prepare(ports),
    init: async (request) => (await import("./flow/save.ts")).save(ports, request),
    reinit: async (request) => (await import("./flow/save-again.ts")).saveAgain(ports, request),
    claim: async (request) => (await claimFlow()).claim(ports, { ...request, caller: caller(request) }),
    start: async (request) => (await startFlow()).start(ports, { ...request, caller: caller(request) }),
    heartbeat: async (request) =>
      (await import("./flow/heartbeat.ts")).heartbeat(ports, { ...request, caller: caller(request) }),
    update: async (request) =>
      (await import("./flow/update.ts")).update(ports, { ...request, caller: caller(request) }),
    artifact: async (request) =>
      (await import("./flow/artifact.ts")).artifact(ports, { ...request, caller: caller(request) }),
    complete: async (request) =>
      (await completeFlow()).complete(ports, { ...request, caller: caller(request) }),
    commit: async (request) =>
      (await import("./flow/commit.ts")).commit(ports, { ...request, caller: caller(request) }),
    finishIntents: async (request = {}) =>
      (await import("./flow/finish-intents.ts")).finishIntents(ports, request),
    release: async ({ worktree, claim, session, ...request }) =>
      (await import("./flow/release.ts")).release(ports, {
        ...request,
        caller: worktree === undefined ? undefined : caller({ worktree, claim, session }),
      }),
    ...operatorVerbs(ports),
    ...readVerbs(ports),
    reconcile: async (request) => (await import("./flow/reconcile.ts")).reconcile(ports, request),
    prune: async (request = {}) => (await import("./flow/prune.ts")).prune(ports, request),
    restore: async (request) => (await import("./flow/restore.ts")).restore(ports, request),
    doctor: async (request = {}) => (await import("./flow/doctor.ts")).doctor(ports, request),
    ...worktreeVerbs(ports),
    copyStore: async (request) => (await import("./flow/copy-store.ts")).copyStore(ports, request),
    ...snapshotVerbs(ports),
    ...runVerbs(ports),
    ...agentVerbs(ports),
    ...recoverVerbs(ports),
    ...lookVerbs(ports),
    openSession: async ({ plan, worktree }) =>
      (await import("./flow/open-session.ts")).openSession(ports, {
        plan,
        worktree: ports.repository.worktree(worktree),
      }),
    close: async () => {
      const database = await ports.database().catch(() => undefined);
      await database?.close();
    },
  };
}
