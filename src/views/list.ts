import type { Instant } from "../domain/index.ts";
import type { Ports } from "../platform/ports/index.ts";
import { listPlans, loadForgottenPlans } from "../plans/index.ts";

export interface PlanSummary {
  readonly planPath: string;
  readonly phaseTitle: string | null;
  readonly status: "active" | "done";
  readonly stepsTotal: number;
  readonly stepsCompleted: number;
  readonly stepsHeld: number;
  /** The file is in none of the repository's worktrees any more. */
  readonly fileMissing: boolean;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

/** Every plan that has state, with how far it is. */
export async function list(ports: Ports): Promise<readonly PlanSummary[]> {
  const database = await ports.database();
  const plans = await database.read((sql) => sql.all(listPlans, {}));
  if (plans.length === 0) await (await loadForgottenPlans()).noticeForgotten(ports);
  return plans.map((plan) => ({
    planPath: plan.plan_path,
    phaseTitle: plan.phase_title,
    status: plan.status,
    stepsTotal: plan.steps_total,
    stepsCompleted: plan.steps_completed,
    stepsHeld: plan.steps_held,
    fileMissing: !ports.plans.existsAnywhere(plan.plan_path),
    createdAt: plan.created_at,
    updatedAt: plan.updated_at,
  }));
}
