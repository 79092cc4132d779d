import type { Pawl } from "./pawl.ts";
import type { Ports } from "./ports/index.ts";

/** The verbs that hooks call: apart from the others, so that a hook's own program holds nothing but them. */
export type HookVerbs = Pick<
  Pawl,
  "prime" | "beatHere" | "whatIsLeft" | "handOver" | "leaveCleanly" | "showSession"
>;

export const hookVerbs = (ports: Ports): HookVerbs => ({
  beatHere: async (request = {}) => (await import("./flow/agent/beat-here.ts")).beatHere(ports, request),
  whatIsLeft: async (request) => (await import("./flow/agent/what-is-left.ts")).whatIsLeft(ports, request),
  handOver: async (request) => (await import("./flow/agent/hand-over.ts")).handOver(ports, request),
  leaveCleanly: async () => (await import("./flow/agent/leave-cleanly.ts")).leaveCleanly(ports),
  prime: async (request = {}) => (await import("./flow/agent/prime.ts")).prime(ports, request),
  showSession: async (request) => (await import("./flow/run/session-view.ts")).showSession(ports, request),
});
