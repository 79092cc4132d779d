import { flatten, type PlanStep } from "../../domain/plan.ts";
import type { Ports } from "../../platform/ports/index.ts";
import { findPlanSnapshot } from "../../plans/sql/find-plan-snapshot.ts";
import { savedPlan } from "../../plans/plan-state.ts";
import type { ClaimedStep } from "../../steps/claimed-step.ts";

/** A step as its author wrote it, out of the plan as it was saved; undefined where that was not kept. */
export async function writtenStep(
  ports: Ports,
  { plan, anchor }: Pick<ClaimedStep, "plan" | "anchor">,
): Promise<PlanStep | undefined> {
  const database = await ports.database();
  const saved = await database.read(async (sql) => {
    const { plan_hash } = await savedPlan(sql, plan);
    return sql.get(findPlanSnapshot, { plan_path: plan, plan_hash });
  });
  if (saved === undefined) return undefined;
  const { parseKept } = await import("../../plans/formats/read-plan.ts");
  const steps = flatten(parseKept(saved.content, saved.format));
  return steps.find(({ step }) => step.anchor === anchor)?.step;
}
