import type { SnapshotRow } from "../platform/index.ts";
import type { Sql } from "../platform/ports/index.ts";
import { savedPlan } from "./plan-state.ts";
import { findPlanSnapshot } from "./sql/find-plan-snapshot.ts";
import { findStep } from "./sql/find-step.ts";

/** The text of the plan that a step is bound to: the one it was claimed with, else the plan's own. */
export async function stepSnapshot(
  sql: Sql,
  { plan, anchor }: { readonly plan: string; readonly anchor: string },
): Promise<SnapshotRow | undefined> {
  const { plan_hash } = await savedPlan(sql, plan);
  const bound = (await sql.get(findStep, { plan_path: plan, anchor }))?.bound_to;
  const own =
    bound == null ? undefined : await sql.get(findPlanSnapshot, { plan_path: plan, plan_hash: bound });
  return own ?? sql.get(findPlanSnapshot, { plan_path: plan, plan_hash });
}
