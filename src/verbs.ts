import { type HookVerbs, hookVerbs } from "./hook-verbs.ts";
import type { Pawl } from "./pawl.ts";
import type { Ports } from "./ports/index.ts";

// The verbs of the library in groups, bound to ports. Each loads its flow when it is first called.

/** The verbs that tell how things stand. */
export const readVerbs = (
  ports: Ports,
): Pick<Pawl, "show" | "showAll" | "ready" | "step" | "list" | "events" | "explain"> => ({
  show: async (request) => (await import("./flow/show.ts")).show(ports, request),
  showAll: async () => (await import("./flow/show.ts")).showAll(ports),
  ready: async (request) => (await import("./flow/ready.ts")).ready(ports, request),
  step: async (request) => (await import("./flow/step-detail.ts")).stepDetail(ports, request),
  list: async () => (await import("./flow/list.ts")).list(ports),
  events: async (request = {}) => (await import("./flow/events.ts")).events(ports, request),
  explain: async (request) => (await import("./flow/explain.ts")).explain(ports, request),
});

/** What a person decides about a step that nobody works on. */
export const operatorVerbs = (ports: Ports): Pick<Pawl, "reset" | "hold" | "retry" | "reopen"> => ({
  reset: async (request) => (await import("./flow/operate.ts")).reset(ports, request),
  hold: async (request) => (await import("./flow/operate.ts")).hold(ports, request),
  retry: async (request) => (await import("./flow/operate.ts")).retry(ports, request),
  reopen: async (request) => (await import("./flow/reopen.ts")).reopen(ports, request),
});

type SnapshotVerb = "takeSnapshot" | "listSnapshots" | "showSnapshot" | "restoreSnapshot" | "dropSnapshot";

export const snapshotVerbs = (ports: Ports): Pick<Pawl, SnapshotVerb> => ({
  takeSnapshot: async ({ worktree, reason } = {}) =>
    (await import("./flow/take-snapshot.ts")).takeSnapshot(ports, {
      worktree: ports.repository.worktree(worktree ?? ports.repository.topLevel ?? "."),
      reason,
    }),
  listSnapshots: async (request = {}) =>
    (await import("./flow/show-snapshot.ts")).listSnapshots(ports, request),
  showSnapshot: async (request) => (await import("./flow/show-snapshot.ts")).showSnapshot(ports, request),
  restoreSnapshot: async (request) =>
    (await import("./flow/restore-snapshot.ts")).restoreSnapshot(ports, request),
  dropSnapshot: async (request) => (await import("./flow/drop-snapshot.ts")).dropSnapshot(ports, request),
});

type LookVerb =
  | "overview"
  | "attention"
  | "stoppedSteps"
  | "stepLines"
  | "stepHistory"
  | "journalPage"
  | "newestLine"
  | "timeline"
  | "commitView";

/** The verbs that only look, in pieces that are quickly read however much there is. */
export const lookVerbs = (ports: Ports): Pick<Pawl, LookVerb> => ({
  overview: async () => (await import("./flow/look/overview.ts")).overview(ports),
  attention: async () => (await import("./flow/look/attention.ts")).attention(ports),
  stoppedSteps: async () => (await import("./flow/look/stopped-steps.ts")).stoppedSteps(ports),
  stepLines: async (request) => (await import("./flow/look/step-lines.ts")).stepLines(ports, request),
  stepHistory: async (request) => (await import("./flow/look/step-history.ts")).stepHistory(ports, request),
  journalPage: async (request = {}) =>
    (await import("./flow/look/journal-page.ts")).journalPage(ports, request),
  newestLine: async () => (await import("./flow/look/journal-page.ts")).newestLine(ports),
  timeline: async (request = {}) => (await import("./flow/look/timeline.ts")).timeline(ports, request),
  commitView: async (request) => (await import("./flow/look/commit-view.ts")).commitView(ports, request),
});

/** The verbs that find out what a crash left, and repair it. */
export const recoverVerbs = (ports: Ports): Pick<Pawl, "recover" | "prepareRun"> => ({
  recover: async (request = {}) => (await import("./flow/recover/recover-all.ts")).recoverAll(ports, request),
  prepareRun: async (request) => (await import("./flow/recover/recover-all.ts")).prepareRun(ports, request),
});

/** The verbs that start agents. */
export const runVerbs = (ports: Ports): Pick<Pawl, RunVerb> => ({
  run: async (request) => (await import("./flow/run/run-plan.ts")).runPlan(ports, request),
  previewRun: async (request) => (await import("./flow/run/preview-run.ts")).previewRun(ports, request),
  resume: async (request = {}) => (await import("./flow/run/resume.ts")).resume(ports, request),
  improve: async (request) => (await import("./flow/run/improve.ts")).improve(ports, request),
  verify: async (request) => (await import("./flow/run/verify-now.ts")).verifyNow(ports, request),
  listSessions: async (request = {}) =>
    (await import("./flow/run/session-view.ts")).listSessionViews(ports, request),
  readLog: async (request) => (await import("./flow/run/read-log.ts")).readLog(ports, request),
  abandonSession: async (request) => (await import("./flow/run/end-sessions.ts")).abandon(ports, request),
  cleanSessions: async (request = {}) =>
    (await import("./flow/run/end-sessions.ts")).cleanSessions(ports, request),
  restoreSession: async (request) =>
    (await import("./flow/run/end-sessions.ts")).restoreSession(ports, request),
});

/** What stands between Pawl and an agent that a person talks to. */
export const agentVerbs = (ports: Ports): Pick<Pawl, AgentVerb> => ({
  openDesk: async (request = {}) => (await import("./flow/agent/desk.ts")).openDesk(ports, request),
  checkPlan: async (request) => (await import("./flow/agent/check-plan.ts")).checkPlan(ports, request),
  ...hookVerbs(ports),
  recoverReport: async () => (await import("./flow/agent/recover-report.ts")).recoverReport(ports),
});

type AgentVerb = keyof HookVerbs | "openDesk" | "checkPlan" | "recoverReport";

type RunVerb =
  | "run"
  | "previewRun"
  | "resume"
  | "improve"
  | "verify"
  | "listSessions"
  | "readLog"
  | "abandonSession"
  | "cleanSessions"
  | "restoreSession";

/** The verbs that are about worktrees as such, not about the steps done in them. */
export const worktreeVerbs = (
  ports: Ports,
): Pick<
  Pawl,
  "createWorktree" | "listWorktrees" | "removeWorktree" | "cleanWorktrees" | "mergeWorktree"
> => ({
  createWorktree: async (request) =>
    (await import("./flow/worktree-create.ts")).createWorktree(ports, request),
  listWorktrees: async (request = {}) =>
    (await import("./flow/worktree-list.ts")).listWorktrees(ports, request),
  removeWorktree: async (request) =>
    (await import("./flow/worktree-remove.ts")).removeWorktree(ports, request),
  cleanWorktrees: async (request = {}) =>
    (await import("./flow/worktree-clean.ts")).cleanWorktrees(ports, request),
  mergeWorktree: async (request) => (await import("./flow/worktree-merge.ts")).mergeWorktree(ports, request),
});
