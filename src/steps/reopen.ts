import { bareAnchor, Failure, nextStatus } from "../domain/index.ts";
import type { Ports } from "../platform/ports/index.ts";
import type { OperatorAnswer, OperatorRequest } from "./operate.ts";
import { lockedStep, savedStep, transact, undoCompletion, updatePlanStatus } from "../plans/index.ts";
import { refuseStale } from "./refuse-stale.ts";

/** Takes a completion back. The one way out of completed, and only with a reason. */
export async function reopen(ports: Ports, request: OperatorRequest): Promise<OperatorAnswer> {
  const { key } = ports.plans.locate(request.plan);
  const reason = request.reason?.trim();
  if (!reason) throw new Failure("reason/required", "Reopening a completed step needs a reason.", {});
  return transact(
    ports,
    { verb: "reopen", subject: [key, bareAnchor(request.step), reason], requestId: request.requestId },
    async (sql) => {
      const step = await lockedStep(sql, key, request.step);
      refuseStale(step, request.seen);
      nextStatus(step.anchor, step.status, "reopened", { plan_path: step.plan_path });
      if (step.parent_anchor !== null) {
        const parent = await savedStep(sql, key, step.parent_anchor);
        if (parent.status === "completed") {
          throw new Failure(
            "step/wrong-status",
            `${parent.anchor}, the step of ${step.anchor}, is completed.`,
            {
              anchor: step.anchor,
              parent_anchor: parent.anchor,
            },
            { hint: `Reopen ${parent.anchor} first.` },
          );
        }
      }
      await undoCompletion(sql, step, reason);
      await updatePlanStatus(sql, key);
      return { planPath: key, anchor: step.anchor, status: "pending", wasClaimedBy: step.claimed_by };
    },
  );
}
