import { COUNT_LIMIT, countRemaining } from "../plans/index.ts";
import type { Sql } from "../platform/ports/index.ts";

/** How many steps of a plan are open, and how many of them can be claimed. */
export async function remaining(sql: Sql, plan: string) {
  const counts = await sql.get(countRemaining, { plan_path: plan, most: COUNT_LIMIT });
  const { ready = 0, open = 0 } = counts ?? {};
  return {
    remainingReady: ready,
    totalRemaining: open,
    remainingCapped: open >= COUNT_LIMIT,
    allCompleted: open === 0,
  };
}
