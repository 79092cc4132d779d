import { admitting, ownSessionOnly } from "./admission.ts";
import { loadCommitView, loadFinishIntents, loadReconcile, type ReconcileRequest } from "./commits/index.ts";
import { HOOK_VERBS } from "./hook-verbs.ts";
import type { Ports } from "./platform/ports/index.ts";
import {
  loadDraftPlan,
  loadEndSessions,
  loadImprove,
  loadMergeApproval,
  loadMergeVerified,
  loadPreviewRun,
  loadResume,
  loadRun,
  loadSyncVerified,
  loadTell,
  loadVerifyNow,
  type ResumeRequest,
  type RunRequest,
} from "./runs/index.ts";
import { bindVerbs, type BoundVerbs, type Callers, reads, writes } from "./verb.ts";
import {
  loadArtifact,
  loadComplete,
  loadHeartbeat,
  loadOperate,
  loadRelease,
  loadReopen,
  loadShow,
  loadStart,
  loadUpdate,
} from "./steps/index.ts";
import { loadClaim, loadReady } from "./claims/index.ts";
import {
  loadChanges,
  loadExplain,
  loadHome,
  loadJournalPage,
  loadList,
  loadNotVerified,
  loadOverview,
  loadPlanProgress,
  loadProposedSettings,
  loadReadLog,
  loadReport,
  loadRuns,
  loadStartingPoints,
  loadStepDetail,
  loadStepHistory,
  loadStepLines,
  loadInstalledAgents,
  loadStoppedSteps,
  loadTimeline,
  loadTrain,
  loadSearchLogs,
  loadTranscript,
} from "./views/index.ts";
import { loadEvents } from "./journal/index.ts";
import {
  loadCommitAsSet,
  loadDiagnosis,
  loadDoctor,
  loadGc,
  loadRecoverAll,
  loadRecoverBeforeRun,
} from "./recovery/index.ts";
import {
  loadAddStep,
  loadCheckPlan,
  loadPrune,
  loadRestore,
  loadSave,
  loadSaveAgain,
} from "./plans/index.ts";
import { loadAgentSession, loadRecoverReport } from "./agent-sessions/index.ts";
import { loadCopyStore, loadFindImportable, loadImportProgress, loadPrepare } from "./store/index.ts";
import { loadOpenSession, loadSessionView } from "./sessions/index.ts";
import {
  loadDropSnapshot,
  loadRestoreSnapshot,
  loadShowSnapshot,
  loadTakeSnapshot,
} from "./snapshots/index.ts";
import {
  loadWorktreeClean,
  loadWorktreeCreate,
  loadWorktreeList,
  loadWorktreeRemove,
} from "./worktrees/index.ts";

export type { HookVerbs } from "./hook-verbs.ts";
export type { Who, WorkerCall } from "./verb.ts";

/** Only people call it. */
const people = (command: string): Callers<object> => ({ forPeople: [{ command }] });

/** Only people call it, unless it is only to say what it would do. */
const peopleUnlessDry = (command: string): Callers<{ readonly dryRun?: boolean | undefined }> => ({
  forPeople: [{ command, when: ({ dryRun = false }) => !dryRun }],
});

/**
 * The verbs of Pawl: for each, whether it reads or writes, who may call it, and the function it loads.
 *
 * The type `Pawl`, the command line, the library, MCP and the page derive from this table. A verb is one row; without a
 * decision about its callers it does not compile. `anyone` may call what reads, or what does no harm from any caller.
 */
export const VERBS = {
  ...HOOK_VERBS,

  // How things stand.
  show: reads("anyone", async () => (await loadShow()).show),
  showAll: reads("anyone", async () => (await loadShow()).showAll),
  ready: reads("anyone", async () => (await loadReady()).ready),
  /** One step with its items and artifacts in full. */
  step: reads("anyone", async () => (await loadStepDetail()).stepDetail),
  list: reads("anyone", async () => (await loadList()).list),
  events: reads("anyone", async () => (await loadEvents()).events),
  explain: reads("anyone", async () => (await loadExplain()).explain),
  /** The plans and agents here, what needs a person, and the one command to type next. */
  home: reads("anyone", async () => (await loadHome()).home),
  /** What there is, at a glance. */
  overview: reads("anyone", async () => (await loadOverview()).overview),
  /** How far each plan is, who works on it, how long it takes and what it costs. */
  planProgress: reads("anyone", async () => (await loadPlanProgress()).planProgress),
  /** What was left and what waits for a person: the same findings everywhere. Changes nothing. */
  diagnosis: reads("anyone", async () => (await loadDiagnosis()).diagnosis),
  /** Steps that are blocked or on hold. */
  stoppedSteps: reads("anyone", async () => (await loadStoppedSteps()).stoppedSteps),
  /** The steps that wait to land, each branch in the order in which they land. */
  train: reads("anyone", async () => (await loadTrain()).train),
  /** The plans with completed steps that no check has verified. */
  notVerified: reads("anyone", async () => (await loadNotVerified()).notVerified),
  /** A page of a plan's steps. */
  stepLines: reads("anyone", async () => (await loadStepLines()).stepLines),
  /** What was tried for a step and what was found. */
  stepHistory: reads("anyone", async () => (await loadStepHistory()).stepHistory),
  /** The journal backwards, in pages. */
  journalPage: reads("anyone", async () => (await loadJournalPage()).journalPage),
  /** The number of the newest line of the journal; sessions that died are noticed. */
  newestLine: reads("anyone", async () => (await loadJournalPage()).newestLine),
  /** Who worked on what when. */
  timeline: reads("anyone", async () => (await loadTimeline()).timeline),
  /** A commit for people to read. */
  commitView: reads("anyone", async () => (await loadCommitView()).commitView),
  /** What an agent of a session said, in words. */
  readLog: reads("anyone", async () => (await loadReadLog()).readLog),
  /** What all plans did since some time ago, what stopped them, and what it took. */
  report: reads("anyone", async () => (await loadReport()).report),
  /** The agents of this machine, as a run would start them. */
  installedAgents: reads("anyone", async () => (await loadInstalledAgents()).installedAgents),
  doctor: reads("anyone", async () => (await loadDoctor()).doctor),
  /** What is wrong with a plan of this repository. */
  checkPlan: reads("anyone", async () => (await loadCheckPlan()).checkPlan),
  /** What is broken or left over, and who can fix it. Changes nothing. */
  recoverReport: reads("anyone", async () => (await loadRecoverReport()).recoverReport),

  /** What a new pawl.toml could set: the agents installed, the check and the setup that the project's files suggest. */
  proposedSettings: reads("anyone", async () => (await loadProposedSettings()).proposedSettings),

  // A plan and its store.
  prepare: writes(people("init"), async () => (await loadPrepare()).prepare),
  /** What other tools left here: their progress, and their worktrees. */
  importable: reads("anyone", async () => (await loadFindImportable()).findImportable),
  /** Takes over the progress that other tools recorded; their files stay as they are. */
  importProgress: writes(people("init --import"), async () => (await loadImportProgress()).importProgress),
  init: writes(
    { forPeople: [{ command: "state init --afresh", when: ({ afresh }) => afresh }] },
    async () => (await loadSave()).save,
  ),
  reinit: writes(people("state init --force"), async () => (await loadSaveAgain()).saveAgain),
  /** Puts one more step at the end of a plan's file, and changes no other byte of it. */
  addStep: writes(peopleUnlessDry("plan add"), async () => (await loadAddStep()).addStep),
  prune: writes(peopleUnlessDry("state prune"), async () => (await loadPrune()).prune),
  restore: writes(people("state restore"), async () => (await loadRestore()).restore),
  /** Copies all state from one store to the other, verified; the other must be empty or hold the same. */
  copyStore: writes(people("state migrate"), async () => (await loadCopyStore()).copyStore),
  reconcile: writes(
    {
      forPeople: [
        { command: "state reconcile --force", when: ({ force, dryRun }) => force && !dryRun },
        {
          command: "state reconcile --trust-unsigned",
          when: ({ trustUnsigned, dryRun }) => trustUnsigned && !dryRun,
        },
      ],
    },
    async () => {
      const { reconcile } = await loadReconcile();
      return (ports: Ports, request: ReconcileRequest) =>
        reconcile(ports, request, async (merge) => (await loadMergeApproval()).mergeApproval(ports)(merge));
    },
  ),

  // What a worker does, from the claim to the completion.
  claim: writes(
    {
      isWorkers: true,
      doneByRun: "state claim",
      forPeople: [{ command: "state claim --force", when: ({ force }) => force }],
    },
    async () => (await loadClaim()).claim,
  ),
  start: writes({ isWorkers: true }, async () => (await loadStart()).start),
  heartbeat: writes({ isWorkers: true }, async () => (await loadHeartbeat()).heartbeat),
  update: writes({ isWorkers: true }, async () => (await loadUpdate()).update),
  artifact: writes({ isWorkers: true }, async () => (await loadArtifact()).artifact),
  complete: writes(
    {
      isWorkers: true,
      doneByRun: "state complete",
      forPeople: [
        { command: "state complete --force", when: ({ forceReason }) => forceReason !== undefined },
      ],
    },
    async () => (await loadComplete()).complete,
  ),
  /**
   * Commits what changed in the worktree, or exactly some paths, and completes the step with it; where the settings name
   * checks, only what has passed them.
   */
  commit: writes(
    {
      isWorkers: true,
      doneByRun: "commit",
      forPeople: [{ command: "commit --unverified", when: ({ unverified }) => unverified !== undefined }],
    },
    async () => (await loadCommitAsSet()).commitAsSet,
  ),
  /** Finishes commits that owners who are gone had begun, and tells of the others. */
  finishIntents: writes("anyone", async () => (await loadFinishIntents()).finishIntents),
  /** Without a worktree the step is taken from its holder. */
  release: writes(
    {
      isWorkers: true,
      doneByRun: "state release",
      forPeople: [{ command: "state release --force", when: ({ worktree }) => worktree === undefined }],
    },
    async () => (await loadRelease()).release,
  ),
  /** Starts a supervised session: its steps are safe while this process lives, and free the moment it dies. */
  openSession: writes("anyone", async () => {
    const { openSession } = await loadOpenSession();
    return (ports: Ports, request: { readonly plan?: string | undefined; readonly worktree: string }) =>
      openSession(ports, { ...request, worktree: ports.repository.worktree(request.worktree) });
  }),

  // What a person decides about a step that no worker holds.
  reset: writes(people("state reset"), async () => (await loadOperate()).reset),
  hold: writes(people("state hold"), async () => (await loadOperate()).hold),
  retry: writes(people("state retry"), async () => (await loadOperate()).retry),
  /** All blocked steps of a plan. */
  retryBlocked: writes(people("state retry --all-blocked"), async () => (await loadOperate()).retryBlocked),
  /** Sends a message to the agent of a step. */
  tell: writes(people("tell"), async () => (await loadTell()).tell),
  reopen: writes(people("state reopen"), async () => (await loadReopen()).reopen),

  // Runs, and the sessions they had.
  /** Drives agents through a plan. */
  run: writes(people("run"), async () => {
    const [{ run }, { recoveryFor }] = await Promise.all([loadRun(), loadRecoverBeforeRun()]);
    return (ports: Ports, request: RunRequest) => run(ports, request, recoveryFor(ports));
  }),
  /** Says what a run would do, and does nothing. */
  previewRun: reads(people("run"), async () => (await loadPreviewRun()).previewRun),
  /** Takes up what was interrupted, where it was interrupted. */
  resume: writes(people("resume"), async () => {
    const [{ resume }, { recoveryFor }] = await Promise.all([loadResume(), loadRecoverBeforeRun()]);
    return (ports: Ports, request: ResumeRequest = {}) => resume(ports, request, recoveryFor(ports));
  }),
  /** Runs a workflow that needs no plan, again and again. */
  improve: writes(people("improve"), async () => (await loadImprove()).improve),
  /** Has an agent write a new plan from a description; nothing of the plan is carried out. */
  draftPlan: writes(people("plan new --from"), async () => (await loadDraftPlan()).draftPlan),
  /** Verifies a step now; what passes is committed and completed. */
  verify: writes(people("verify"), async () => (await loadVerifyNow()).verifyNow),
  listSessions: reads("anyone", async () => (await loadSessionView()).listSessionViews),
  /** What a command of a session said and did, as events in pages. */
  transcript: reads("anyone", async () => (await loadTranscript()).transcript),
  /** The same, all of it at once. */
  wholeTranscript: reads("anyone", async () => (await loadSearchLogs()).wholeTranscript),
  /** Where agents said or did something with a text in it, over all sessions. */
  searchLogs: reads("anyone", async () => (await loadSearchLogs()).searchLogs),
  /** A commit, kept work, a worktree or a branch as a patch. */
  changes: reads("anyone", async () => (await loadChanges()).changes),
  /** Both sides of what keeps a step from landing. */
  conflict: reads("anyone", async () => (await loadChanges()).conflict),
  /** Plans without state, and the agents that are here. */
  startingPoints: reads("anyone", async () => (await loadStartingPoints()).startingPoints),
  /** The same by run: what a person started, with its workers. */
  listRuns: reads("anyone", async () => (await loadRuns()).listRuns),
  /** Decides that an interrupted session is not resumed; its work stays. */
  abandonSession: writes(people("sessions abandon"), async () => (await loadEndSessions()).abandon),
  cleanSessions: writes(people("sessions clean"), async () => (await loadEndSessions()).cleanSessions),
  /** Restores the uncommitted work that a session left. */
  restoreSession: writes(people("sessions restore"), async () => (await loadEndSessions()).restoreSession),
  /** Finds what crashes, timeouts and edits have left; repairs what can be proven, asks about the rest. */
  recover: writes(people("recover"), async () => (await loadRecoverAll()).recoverAll),
  /** A place for an agent that a person talks to; the claim's number stays inside. */
  openAgentSession: writes(
    { check: ownSessionOnly },
    async () => (await loadAgentSession()).openAgentSession,
  ),

  // Work that is not committed.
  /** Keeps what is not committed in a worktree; the caller's own unless said otherwise. */
  takeSnapshot: writes("anyone", async () => {
    const { takeSnapshot } = await loadTakeSnapshot();
    return (
      ports: Ports,
      request: { readonly worktree?: string | undefined; readonly reason?: string | undefined },
    ) => {
      const path = request.worktree ?? ports.repository.topLevel ?? ".";
      return takeSnapshot(ports, { ...request, worktree: ports.repository.worktree(path) });
    };
  }),
  listSnapshots: reads("anyone", async () => (await loadShowSnapshot()).listSnapshots),
  showSnapshot: reads("anyone", async () => (await loadShowSnapshot()).showSnapshot),
  restoreSnapshot: writes("anyone", async () => (await loadRestoreSnapshot()).restoreSnapshot),
  dropSnapshot: writes(peopleUnlessDry("snapshot drop"), async () => (await loadDropSnapshot()).dropSnapshot),

  // Worktrees as such, not the steps done in them.
  /** Gives a plan a worktree and a branch of its own, or finds the ones it has. */
  createWorktree: writes("anyone", async () => (await loadWorktreeCreate()).createWorktree),
  listWorktrees: reads("anyone", async () => (await loadWorktreeList()).listWorktrees),
  /** Saves what is unsaved, then takes the worktree down; refuses one that is in use. */
  removeWorktree: writes(people("worktree remove"), async () => (await loadWorktreeRemove()).removeWorktree),
  cleanWorktrees: writes(
    peopleUnlessDry("worktree clean"),
    async () => (await loadWorktreeClean()).cleanWorktrees,
  ),
  /** Removes what finished work left behind. */
  gc: writes(peopleUnlessDry("gc"), async () => (await loadGc()).gc),
  /** Merges a plan's branch into its base, whole or not at all, once the check has passed on what the base gets. */
  mergeWorktree: writes(people("worktree merge"), async () => (await loadMergeVerified()).mergeVerified),
  /** Brings the base into a plan's branch, once the check has passed on both together. */
  syncWorktree: writes(peopleUnlessDry("worktree sync"), async () => (await loadSyncVerified()).syncVerified),

  /** For what people do that is no verb, such as serving the page: refuses an agent, by the name of the command. */
  refuseAgents: reads({ forPeople: [{ command: ({ verb }) => verb }] }, async () => nothingElse),
  close: writes("anyone", async () => async (ports: Ports) => {
    await (await ports.database().catch(() => undefined))?.close();
  }),
};

/** The verbs of Pawl for one repository. Every one is a transaction; every refusal is a `Failure`. */
export interface Pawl extends BoundVerbs<typeof VERBS> {}

/** Binds the verbs to ports, for the runner itself and for tests: nothing asks who calls. */
export const pawlOn = (ports: Ports): Pawl => bindVerbs(VERBS, ports);

/** The verbs for a process that may be an agent's: they ask who calls. */
export const pawlFor = (ports: Ports): Pawl =>
  admitting(VERBS, pawlOn(ports), (path) => ports.repository.worktree(path).id);

/** Everything that is refused to agents, as it is called. */
export const OPERATOR_COMMANDS: readonly string[] = [
  ...new Set([
    ...Object.values(VERBS).flatMap(({ callers }) =>
      callers === "anyone" ? [] : (callers.forPeople ?? []).map(({ command }) => command),
    ),
    "ui",
  ]),
].filter((command) => typeof command === "string");

/** Who calls is all that matters here. */
const nothingElse = async (_ports: Ports, _request: { readonly verb: string }): Promise<void> => undefined;
