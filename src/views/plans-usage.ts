import { type UsageSums, type UsageView, usageView } from "../domain/index.ts";
import type { Sql } from "../platform/ports/index.ts";
import { sumPlansUsage } from "../sessions/index.ts";

/** What was spent on each plan, in one question for all of them. */
export async function plansUsage(sql: Sql): Promise<(plan: string) => UsageView | null> {
  const rows = await sql.all(sumPlansUsage, {});
  const sums = new Map<string | null, UsageSums>(rows.map((row) => [row.plan_path, row]));
  return (plan) => usageView([sums.get(plan) ?? []].flat());
}
