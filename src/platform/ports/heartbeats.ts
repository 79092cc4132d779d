import type { ProcessRecord } from "./supervisor.ts";

/**
 * Keeps a claim alive from a thread of its own, so that a main thread that is busy for minutes loses nothing.
 *
 * It tells that the supervisor lives, not that the agent gets anywhere: that is what `progress` of a running command
 * tells.
 */
export interface Heartbeats {
  readonly start: (claim: ClaimToKeep) => Heartbeat;
}

/** Plain data: it crosses over to the thread. */
export interface ClaimToKeep {
  readonly plan: string;
  readonly step: string;
  readonly worktree: string;
  readonly claim: number;
  readonly session?: string | undefined;
  readonly leaseSeconds: number;
  /** How long an agent may take to leave once the claim is lost. */
  readonly graceMs?: number | undefined;
}

export interface Heartbeat {
  /**
   * From now on this command is ended the moment the claim is lost, even while the main thread is busy. False when it
   * is lost already: then only the caller ends the command.
   */
  readonly watch: (record: ProcessRecord) => boolean;
  readonly unwatch: (record: ProcessRecord) => void;
  /** Known at once, also before the main thread has had time to hear of it. */
  readonly isLost: () => boolean;
  /** Comes when the claim is lost and what was watched is gone. Never comes after `stop`. */
  readonly lost: Promise<Lost>;
  /** Ends the renewals. To be called before the step is completed or released by its owner. */
  readonly stop: () => Promise<void>;
}

export interface Lost {
  readonly because: string;
  /** Processes that could not be ended. */
  readonly left: readonly number[];
}

/** What one renewal found. `over`: there is nothing more to keep, and nothing was lost. */
export type RenewalAnswer = "renewed" | "over" | { readonly lost: string };

export type RenewLease = () => Promise<RenewalAnswer>;
