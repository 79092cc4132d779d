import type { BeatAnswer } from "../flow/agent/beat-here.ts";
import type { PlanChecked } from "../flow/agent/check-plan.ts";
import type { Desk, DeskRequest } from "../flow/agent/desk.ts";
import type { PrimeAnswer, PrimeRequest } from "../flow/agent/prime.ts";
import type { RecoverReport } from "../flow/agent/recover-report.ts";
import type { WhatIsLeft } from "../flow/agent/what-is-left.ts";
import type { Ports } from "../ports/index.ts";

/** What stands between Pawl and an agent that a person talks to. */
export interface AgentVerbs {
  /** What an agent in a worktree must know now. */
  prime(request?: PrimeRequest): Promise<PrimeAnswer>;
  /** A place for an agent that a person talks to; the claim's number stays inside. */
  openDesk(request?: DeskRequest): Promise<Desk>;
  /** What is wrong with a plan of this repository. */
  checkPlan(request: { readonly plan: string }): Promise<PlanChecked>;
  /** What is broken or left over, and who can mend it. Changes nothing. */
  recoverReport(): Promise<RecoverReport>;
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
}

export const agentVerbs = (ports: Ports): AgentVerbs => ({
  openDesk: async (request = {}) => (await import("../flow/agent/desk.ts")).openDesk(ports, request),
  checkPlan: async (request) => (await import("../flow/agent/check-plan.ts")).checkPlan(ports, request),
  recoverReport: async () => (await import("../flow/agent/recover-report.ts")).recoverReport(ports),
  beatHere: async (request = {}) => (await import("../flow/agent/beat-here.ts")).beatHere(ports, request),
  whatIsLeft: async (request) => (await import("../flow/agent/what-is-left.ts")).whatIsLeft(ports, request),
  handOver: async (request) => (await import("../flow/agent/hand-over.ts")).handOver(ports, request),
  leaveCleanly: async () => (await import("../flow/agent/leave-cleanly.ts")).leaveCleanly(ports),
  prime: async (request = {}) => (await import("../flow/agent/prime.ts")).prime(ports, request),
});
