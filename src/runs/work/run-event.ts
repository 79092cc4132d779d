import type { ExitOutcome, Instant, TroubleKind, UsageView } from "../../domain/index.ts";

/** What a run reports on its way. Texts are as agents and plans have them: the code that shows them makes them safe. */
export type RunEvent = { readonly worker: number; readonly at: Instant } & WorkerEvent;

export type WorkerEvent =
  /** How far the plan is when a run begins, whichever run did it. */
  | { readonly event: "plan"; readonly plan: string; readonly total: number; readonly completed: number }
  | {
      readonly event: "session";
      readonly session: string;
      readonly worktree: string;
      readonly resumed: boolean;
    }
  | {
      readonly event: "claimed";
      readonly step: string;
      readonly title: string;
      readonly again: boolean;
      /** How many steps are not completed, this one among them; undefined when they are too many to count. */
      readonly remaining: number | undefined;
    }
  | {
      readonly event: "command";
      readonly step: string | undefined;
      readonly command: string;
      readonly again: boolean;
      readonly log: string;
      readonly iteration: number;
      /** The newest lines of its output, safe to show. */
      readonly lines: () => readonly string[];
    }
  | {
      readonly event: "command-ended";
      readonly step: string | undefined;
      readonly command: string;
      readonly outcome: ExitOutcome;
      readonly durationMs: number;
      /** What it changed; undefined where git could not read the worktree. */
      readonly files: readonly string[] | undefined;
      /** What its agent used, as far as it reports it. */
      readonly usage?: UsageView | undefined;
    }
  /** Another agent continues the step in the same worktree; no attempt is counted. */
  | {
      readonly event: "agent-changed";
      readonly step: string;
      readonly from: string;
      readonly to: string;
      /** When the first returns; undefined where a person must act first. */
      readonly until: Instant | undefined;
      readonly because: string;
    }
  /** An agent printed nothing and changed no file for so long; it is interrupted. */
  | {
      readonly event: "silent";
      readonly step: string | undefined;
      readonly agent: string;
      readonly silentMs: number;
    }
  /** An agent wanted to do what its permissions do not allow. `allowWith` is the setting that would. */
  | {
      readonly event: "refused";
      readonly step: string | undefined;
      readonly agent: string;
      readonly what: string;
      readonly allowWith: string;
    }
  /** An agent has trouble with its model's server and tries again by itself. Reported once until it works on. */
  | {
      readonly event: "retrying";
      readonly step: string | undefined;
      readonly agent: string;
      readonly trouble: TroubleKind;
      /** In the agent's own words. */
      readonly said: string;
    }
  /** One of the last lines of an agent or a check that failed, or of an agent whose step is blocked. */
  | { readonly event: "said"; readonly step: string; readonly text: string }
  /** `attempt` is what the limit counts, not a place in the record. */
  | { readonly event: "verifying"; readonly step: string; readonly attempt: number }
  | {
      readonly event: "verdict";
      readonly step: string;
      readonly attempt: number;
      readonly outcome: string;
      readonly because: string;
      /** Where the checks ran, and on which tree, for people; undefined where none was run. */
      readonly where: string | undefined;
      /** What failed, where an attempt did; its last lines follow as `said`. */
      readonly failed?: FailedAttempt | undefined;
    }
  /** Its work passes alone and not with what landed meanwhile: the agent gets both. */
  | { readonly event: "sent-back"; readonly step: string; readonly because: string }
  /** What it will land as is judged, and a step ahead of it has not landed yet. */
  | {
      readonly event: "waits-to-land";
      readonly step: string;
      readonly behind: string;
      readonly outcome: string;
    }
  | { readonly event: "committed"; readonly step: string; readonly commit: string }
  | { readonly event: "completed"; readonly step: string; readonly commit: string }
  | { readonly event: "blocked"; readonly step: string; readonly reason: string; readonly note: string }
  /** No worker of the run begins another step. */
  | { readonly event: "halted"; readonly because: string }
  | { readonly event: "paused"; readonly until: Instant | undefined; readonly because: string }
  | {
      readonly event: "waiting";
      readonly for: readonly string[];
      /** Who holds them, of those that a worker holds. */
      readonly holders?: readonly Holder[] | undefined;
      /** The remote that does not answer, where verified steps wait to land on it. */
      readonly remote?: string | undefined;
    }
  /** A signal came: what is being stopped, or waited for where it must not be cut off. */
  | { readonly event: "stopping"; readonly signal: string; readonly running: readonly string[] }
  | { readonly event: "lost"; readonly step: string; readonly because: string }
  | { readonly event: "note"; readonly text: string };

/** An attempt at a step that failed: the agent's command, or a check of its work. */
export interface FailedAttempt {
  /** `implement`, or the check: `npm test`. */
  readonly what: string;
  readonly timedOut: boolean;
  /** Null where no program ended with a code. */
  readonly exitCode: number | null;
  /** How many attempts a step has. */
  readonly most: number;
  readonly log: string | undefined;
}

export interface Holder {
  readonly step: string;
  readonly worktree: string | null;
  /** The machine, where it is another one. */
  readonly host: string | null;
  /** Null for a claim that was made by hand: it ends when a person ends it, or with its lease. */
  readonly session: string | null;
  /** How to continue or take it over, where its runner is stopped. */
  readonly stopped?: string | undefined;
}

export type Reporter = (event: WorkerEvent) => void;
