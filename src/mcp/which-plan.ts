import { Failure } from "../domain/index.ts";
import type { AgentSession } from "../agent-sessions/index.ts";
import type { Pawl } from "../api.ts";

/** The plan that is named, else that of the step in hand, else the only one there is. */
export async function planOf(
  pawl: Pawl,
  agentSession: AgentSession,
  named: string | undefined,
): Promise<string> {
  const held = agentSession.held()?.plan;
  if (named !== undefined || held !== undefined) return named ?? held!;
  const { plans } = await pawl.prime({ worktree: agentSession.worktree.path });
  const open = plans.filter(({ stepsCompleted, stepsTotal }) => stepsCompleted < stepsTotal);
  const [only] = open.length > 0 ? open : plans;
  if (only && (open.length === 1 || plans.length === 1)) return only.planPath;
  throw new Failure(
    "desk/which-plan",
    plans.length === 0 ? "No plan has state yet." : `There are ${plans.length} plans.`,
    {
      plans: plans.slice(0, 20).map(({ planPath }) => planPath),
    },
  );
}
