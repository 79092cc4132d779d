import type { StepAddress } from "../flow/caller.ts";
import type { Attention } from "../flow/look/attention.ts";
import type { JournalPage, JournalPageRequest } from "../flow/look/journal-page.ts";
import type { Overview } from "../flow/look/overview.ts";
import type { StepHistory } from "../flow/look/step-history.ts";
import type { StepLinesAnswer, StepLinesRequest } from "../flow/look/step-lines.ts";
import type { StoppedStep } from "../flow/look/stopped-steps.ts";
import type { Lifeline, TimelineRequest } from "../flow/look/timeline.ts";
import type { CommitText } from "../ports/git.ts";
import type { Ports } from "../ports/index.ts";

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
  overview: async () => (await import("../flow/look/overview.ts")).overview(ports),
  attention: async () => (await import("../flow/look/attention.ts")).attention(ports),
  stoppedSteps: async () => (await import("../flow/look/stopped-steps.ts")).stoppedSteps(ports),
  stepLines: async (request) => (await import("../flow/look/step-lines.ts")).stepLines(ports, request),
  stepHistory: async (request) => (await import("../flow/look/step-history.ts")).stepHistory(ports, request),
  journalPage: async (request = {}) =>
    (await import("../flow/look/journal-page.ts")).journalPage(ports, request),
  newestLine: async () => (await import("../flow/look/journal-page.ts")).newestLine(ports),
  timeline: async (request = {}) => (await import("../flow/look/timeline.ts")).timeline(ports, request),
  commitView: async (request) => (await import("../flow/look/commit-view.ts")).commitView(ports, request),
});
