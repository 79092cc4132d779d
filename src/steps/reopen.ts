import { bareAnchor, Failure, nextStatus } from "../domain/index.ts";
import type { Ports, Sql } from "../platform/ports/index.ts";
import type { StepRow } from "../platform/index.ts";
import type { OperatorAnswer, OperatorRequest } from "./operate.ts";
import { keepSavedOrder, listSubsteps, transact, undoCompletion, updatePlanStatus } from "../plans/index.ts";
import { type StepFamily, lockFamily } from "./lock-family.ts";
import { refuseStale } from "./refuse-stale.ts";

/**
 * Takes a completion back. The one way out of completed, and only with a reason.
 *
 * A step is reopened with all its substeps: else nothing of it would be open for the next worker. A substep is reopened with
 * its step, and the other substeps stay completed. In an ordered list, what is not begun behind it waits for it.
 */
export async function reopen(ports: Ports, request: OperatorRequest): Promise<OperatorAnswer> {
  const { key } = ports.plans.locate(request.plan);
  const reason = request.reason?.trim();
  if (!reason) throw new Failure("reason/required", "Reopening a completed step needs a reason.", {});
  return transact(
    ports,
    { verb: "reopen", subject: [key, bareAnchor(request.step), reason], requestId: request.requestId },
    async (sql) => {
      const family = await lockFamily(sql, key, request.step);
      const { step } = family;
      refuseStale(step, request.seen);
      nextStatus(step.anchor, step.status, "reopened", { plan_path: step.plan_path });
      for (const one of await completedOf(sql, family)) await undoCompletion(sql, one, reason);
      await keepSavedOrder(sql, key);
      await updatePlanStatus(sql, key);
      return { planPath: key, anchor: step.anchor, status: "pending", wasClaimedBy: step.claimed_by };
    },
  );
}

async function completedOf(sql: Sql, { step, parent }: StepFamily): Promise<readonly StepRow[]> {
  const { plan_path, anchor } = step;
  const others = parent ? [parent] : await sql.all(listSubsteps, { plan_path, anchor });
  return [step, ...others.filter(({ status }) => status === "completed")];
}
