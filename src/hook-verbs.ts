import { type BoundVerbs, reads, writes } from "./verb.ts";
import {
  loadCallingAgent,
  loadHandOver,
  loadHeartbeatHere,
  loadMarkCleanExit,
  loadPrime,
  loadUnfinishedStep,
} from "./agent-sessions/index.ts";
import { loadSessionView } from "./sessions/index.ts";

/** The rows of `VERBS` that hooks call: apart from the others, so that a hook's own program holds nothing but them. */
export const HOOK_VERBS = {
  /** What an agent in a worktree must know now. */
  prime: reads("anyone", async () => (await loadPrime()).prime),
  /** An agent used a tool: renews the claim of its worktree, now and then. */
  heartbeatHere: writes("anyone", async () => (await loadHeartbeatHere()).heartbeatHere),
  /** What an agent that wants to stop leaves undone; reported once. */
  unfinishedStep: writes("anyone", async () => (await loadUnfinishedStep()).unfinishedStep),
  /** Before an agent's memory is cut short. */
  handOver: writes("anyone", async () => (await loadHandOver()).handOver),
  /** An agent ended in order. */
  markCleanExit: writes("anyone", async () => (await loadMarkCleanExit()).markCleanExit),
  /** The agent that this process belongs to, or the one in whose worktree it calls; undefined for everybody else. */
  callingAgent: reads("anyone", async () => (await loadCallingAgent()).callingAgent),
  /** A session with what it did: an agent that a run started is reported by the run. */
  showSession: reads("anyone", async () => (await loadSessionView()).showSession),
};

export type HookVerbs = BoundVerbs<typeof HOOK_VERBS>;
