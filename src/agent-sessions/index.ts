// The door of this room: other rooms import from here alone.
export type { AgentClaim, AgentSession } from "./agent-session.ts";
export type { CallingAgent } from "./calling-agent.ts";
export { isStampDue, stampName } from "./heartbeat-stamp.ts";
export type { Supervised } from "./held-step.ts";
export { type AgentCall, type PrimeAfter, primeText } from "./prime-text.ts";
export type { PrimeStep } from "./prime.ts";
export type { Brief } from "./step-brief.ts";

// Loaded when first called: a short process pays for what it uses.
export const loadAgentSession = () => import("./agent-session.ts");
export const loadCallingAgent = () => import("./calling-agent.ts");
export const loadHandOver = () => import("./hand-over.ts");
export const loadHeartbeatHere = () => import("./heartbeat-here.ts");
export const loadMarkCleanExit = () => import("./mark-clean-exit.ts");
export const loadPrimeText = () => import("./prime-text.ts");
export const loadPrime = () => import("./prime.ts");
export const loadRecoverReport = () => import("./recover-report.ts");
export const loadUnfinishedStep = () => import("./unfinished-step.ts");
