import type { Sql } from "../ports/database.ts";
import { lockPlan } from "../store/statements/lock-plan.ts";
import { settlePlan } from "../store/statements/settle-plan.ts";

/** Says anew whether a plan is done. Whoever comes second waits here, and then sees what the first did. */
export async function settle(sql: Sql, key: string): Promise<void> {
  await sql.get(lockPlan, { plan_path: key });
  await sql.run(settlePlan, { plan_path: key, now: sql.now });
}
