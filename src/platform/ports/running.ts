import type { Heartbeats } from "./heartbeats.ts";
import type { Supervisor } from "./supervisor.ts";

/** What an agent gets to know about its work. Verbs that it calls are fenced by these without its knowing. */
export interface AgentSituation {
  readonly plan?: string | undefined;
  readonly step?: string | undefined;
  readonly session: string;
  readonly worktree: string;
  readonly claim?: number | undefined;
  /** The first of the ports that are meant for this worker's servers. */
  readonly portBase?: number | undefined;
}

/** What only runs need: agents and their heartbeats. */
export interface Running {
  readonly supervisor: Supervisor;
  readonly heartbeats: Heartbeats;
  /** All of an agent's environment. */
  readonly environment: (situation: AgentSituation) => Readonly<Record<string, string>>;
  /** Values in that environment that must not be kept in logs, by name. */
  readonly secrets: () => Readonly<Record<string, string>>;
  /** Where the logs of a session go. */
  readonly logFolder: (session: string) => string;
  /** Waits; a waiter can be woken early. */
  readonly sleep: (ms: number, wake: AbortSignal) => Promise<void>;
}
