import type { AgentSituation } from "../../platform/ports/index.ts";
import type { ClaimedStep } from "../../steps/index.ts";
import { portBase } from "./port-base.ts";
import type { Worker } from "./worker.ts";

/** What the environment of a worker's command says about where it is. */
export const situationOf = (
  { ports, session, plan, number }: Worker,
  held: ClaimedStep | undefined,
): AgentSituation => ({
  plan: held?.plan,
  step: held?.anchor,
  session: session.id,
  worktree: session.worktree.path,
  claim: held?.claim,
  portBase: portBase(`${ports.repository.commonDir} ${plan ?? ""}`, number),
});
