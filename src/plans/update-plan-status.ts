import type { Sql } from "../platform/ports/index.ts";
import { countOpenSteps } from "./sql/count-open-steps.ts";
import { lockPlan } from "./sql/lock-plan.ts";
import { setPlanStatus } from "./sql/set-plan-status.ts";

/**
 * Says anew whether a plan is done, and tells.
 *
 * The second process waits for the plan's lock, and then sees what the first did: of two last steps, the second
 * knows that it was the last.
 */
export async function updatePlanStatus(sql: Sql, key: string): Promise<boolean> {
  const [, , left] = await Promise.all([
    sql.get(lockPlan, { plan_path: key }),
    sql.run(setPlanStatus, { plan_path: key, now: sql.now }),
    sql.get(countOpenSteps, { plan_path: key, most: 1 }),
  ]);
  return left?.open === 0;
}
