import type { StepAddress } from "../steps/caller.ts";
import type { Attention } from "../views/attention.ts";
import type { JournalPage, JournalPageRequest } from "../views/journal-page.ts";
import type { Overview } from "../views/overview.ts";
import type { StepHistory } from "../views/step-history.ts";
import type { StepLinesAnswer, StepLinesRequest } from "../views/step-lines.ts";
import type { StoppedStep } from "../views/stopped-steps.ts";
import type { Lifeline, TimelineRequest } from "../views/timeline.ts";
import type { CommitText } from "../platform/ports/git.ts";
import type { Ports } from "../platform/ports/index.ts";

/** The verbs that only look, in pieces that are quickly read however much there is. */
export interface LookVerbs {
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
}

export const lookVerbs = (ports: Ports): LookVerbs => ({
  overview: async () => (await import("../views/overview.ts")).overview(ports),
  attention: async () => (await import("../views/attention.ts")).attention(ports),
  stoppedSteps: async () => (await import("../views/stopped-steps.ts")).stoppedSteps(ports),
  stepLines: async (request) => (await import("../views/step-lines.ts")).stepLines(ports, request),
  stepHistory: async (request) => (await import("../views/step-history.ts")).stepHistory(ports, request),
  journalPage: async (request = {}) => (await import("../views/journal-page.ts")).journalPage(ports, request),
  newestLine: async () => (await import("../views/journal-page.ts")).newestLine(ports),
  timeline: async (request = {}) => (await import("../views/timeline.ts")).timeline(ports, request),
  commitView: async (request) => (await import("../commits/commit-view.ts")).commitView(ports, request),
});
