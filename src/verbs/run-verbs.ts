import type { RestoreSnapshotAnswer } from "../snapshots/restore-snapshot.ts";
import type {
  AbandonAnswer,
  AbandonRequest,
  CleanSessionsAnswer,
  CleanSessionsRequest,
} from "../runs/end-sessions.ts";
import type { ImproveRequest } from "../runs/improve.ts";
import type { RunPreview } from "../runs/preview-run.ts";
import type { LogText, ReadLogRequest } from "../views/read-log.ts";
import type { ResumeRequest } from "../runs/resume.ts";
import type { RunAnswer, RunRequest } from "../runs/run.ts";
import type { SessionView, SessionsRequest } from "../sessions/session-view.ts";
import type { VerifyAnswer, VerifyRequest } from "../runs/verify-now.ts";
import type { Ports } from "../platform/ports/index.ts";

/** The verbs that start agents, and those about the sessions they had. */
export interface RunVerbs {
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
}

export const runVerbs = (ports: Ports): RunVerbs => ({
  run: async (request) => (await import("../runs/run.ts")).runPlan(ports, request),
  previewRun: async (request) => (await import("../runs/preview-run.ts")).previewRun(ports, request),
  resume: async (request = {}) => (await import("../runs/resume.ts")).resume(ports, request),
  improve: async (request) => (await import("../runs/improve.ts")).improve(ports, request),
  verify: async (request) => (await import("../runs/verify-now.ts")).verifyNow(ports, request),
  listSessions: async (request = {}) =>
    (await import("../sessions/session-view.ts")).listSessionViews(ports, request),
  readLog: async (request) => (await import("../views/read-log.ts")).readLog(ports, request),
  abandonSession: async (request) => (await import("../runs/end-sessions.ts")).abandon(ports, request),
  cleanSessions: async (request = {}) =>
    (await import("../runs/end-sessions.ts")).cleanSessions(ports, request),
  restoreSession: async (request) => (await import("../runs/end-sessions.ts")).restoreSession(ports, request),
});
