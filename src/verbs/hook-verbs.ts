import type { BeatAnswer } from "../agent-sessions/beat-here.ts";
import type { PrimeAnswer, PrimeRequest } from "../agent-sessions/prime.ts";
import type { AgentOf, WhoseAgentRequest } from "../agent-sessions/whose-agent.ts";
import type { WhatIsLeft } from "../agent-sessions/what-is-left.ts";
import type { SessionDetail, SessionRequest } from "../sessions/session-view.ts";
import type { Ports } from "../platform/ports/index.ts";

/** The verbs that hooks call: apart from the others, so that a hook's own program holds nothing but them. */
export interface HookVerbs {
  /** What an agent in a worktree must know now. */
  prime(request?: PrimeRequest): Promise<PrimeAnswer>;
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
  /** The agent that this process belongs to, or the one in whose worktree it calls; undefined for everybody else. */
  whoseAgent(request?: WhoseAgentRequest): Promise<AgentOf | undefined>;
  /** A session with what it did: an agent that a run started is told by the run. */
  showSession(request: SessionRequest): Promise<SessionDetail>;
}

export const hookVerbs = (ports: Ports): HookVerbs => ({
  beatHere: async (request = {}) => (await import("../agent-sessions/beat-here.ts")).beatHere(ports, request),
  whatIsLeft: async (request) =>
    (await import("../agent-sessions/what-is-left.ts")).whatIsLeft(ports, request),
  handOver: async (request) => (await import("../agent-sessions/hand-over.ts")).handOver(ports, request),
  leaveCleanly: async () => (await import("../agent-sessions/leave-cleanly.ts")).leaveCleanly(ports),
  prime: async (request = {}) => (await import("../agent-sessions/prime.ts")).prime(ports, request),
  whoseAgent: async (request = {}) =>
    (await import("../agent-sessions/whose-agent.ts")).whoseAgent(ports, request),
  showSession: async (request) => (await import("../sessions/session-view.ts")).showSession(ports, request),
});
