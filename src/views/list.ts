import type { Instant, UsageView } from "../domain/index.ts";
import type { Ports } from "../platform/ports/index.ts";
import { fullStateOf, fullWords } from "../verification/index.ts";
import { plansUsage } from "./plans-usage.ts";
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
  /** What the full check failed on, in one sentence; null where it passes or has not run. */
  readonly fullCheck: string | null;
  /** What was spent on it; null where nothing is on record. */
  readonly usage: UsageView | null;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

/** Every plan that has state, with how far it is. */
export async function list(ports: Ports): Promise<readonly PlanSummary[]> {
  const database = await ports.database();
  const { plans, failing, usage } = await database.read(async (sql) => {
    const plans = await sql.all(listPlans, {});
    const failing = new Map<string, string>();
    for (const { plan_path } of plans) {
      const words = fullWords(await fullStateOf(sql, plan_path));
      if (words !== null) failing.set(plan_path, words);
    }
    return { plans, failing, usage: await plansUsage(sql) };
  });
  if (plans.length === 0) await (await loadForgottenPlans()).noticeForgotten(ports);
  return plans.map((plan) => ({
    planPath: plan.plan_path,
    phaseTitle: plan.phase_title,
    status: plan.status,
    stepsTotal: plan.steps_total,
    stepsCompleted: plan.steps_completed,
    stepsHeld: plan.steps_held,
    fileMissing: !ports.plans.existsAnywhere(plan.plan_path),
    fullCheck: failing.get(plan.plan_path) ?? null,
    usage: usage(plan.plan_path),
    createdAt: plan.created_at,
    updatedAt: plan.updated_at,
  }));
}
