import type { PlanChecked } from "../plans/check-plan.ts";
import type { Desk, DeskRequest } from "../agent-sessions/desk.ts";
import type { RecoverReport } from "../agent-sessions/recover-report.ts";
import type { Ports } from "../platform/ports/index.ts";

/** What stands between Pawl and an agent that a person talks to. */
export interface AgentVerbs {
  /** A place for an agent that a person talks to; the claim's number stays inside. */
  openDesk(request?: DeskRequest): Promise<Desk>;
  /** What is wrong with a plan of this repository. */
  checkPlan(request: { readonly plan: string }): Promise<PlanChecked>;
  /** What is broken or left over, and who can mend it. Changes nothing. */
  recoverReport(): Promise<RecoverReport>;
}

export const agentVerbs = (ports: Ports): AgentVerbs => ({
  openDesk: async (request = {}) => (await import("../agent-sessions/desk.ts")).openDesk(ports, request),
  checkPlan: async (request) => (await import("../plans/check-plan.ts")).checkPlan(ports, request),
  recoverReport: async () => (await import("../agent-sessions/recover-report.ts")).recoverReport(ports),
});
