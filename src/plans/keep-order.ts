import { flatten, isHeld, type Plan } from "../domain/index.ts";
import type { Sql } from "../platform/ports/index.ts";
import { parseKept } from "./formats/index.ts";
import { findPlanSnapshot } from "./sql/find-plan-snapshot.ts";
import { findPlan } from "./sql/find-plan.ts";
import { insertDependency } from "./sql/insert-dependency.ts";
import { listDependencies } from "./sql/list-dependencies.ts";
import { listSteps } from "./sql/list-steps.ts";
import { recountUnmetDeps } from "./sql/recount-unmet-deps.ts";

/** The same by the text that was read last, after a step of the list was reopened. */
export async function keepSavedOrder(sql: Sql, plan_path: string): Promise<void> {
  const plan = await sql.get(findPlan, { plan_path });
  const kept = plan && (await sql.get(findPlanSnapshot, { plan_path, plan_hash: plan.plan_hash }));
  if (kept) await keepOrder(sql, plan_path, parseKept(kept.content, kept.format));
}

/**
 * Lets the steps of an ordered list also wait for what stands before a step that was completed out of order.
 *
 * The order of a list names the step right before alone. Where that one is completed, it would let the next one begin
 * before an earlier one that is still open.
 */
export async function keepOrder(sql: Sql, plan_path: string, plan: Plan): Promise<void> {
  const steps = flatten(plan).map(({ step }) => step);
  if (!steps.some(({ dependsOn }) => dependsOn.some(({ implied }) => implied))) return;
  const rows = new Map((await sql.all(listSteps, { plan_path })).map((row) => [row.anchor, row]));
  const edges = await sql.all(listDependencies, { plan_path });
  const known = new Set(edges.map(({ step_anchor, depends_on }) => `${step_anchor}\n${depends_on}`));
  const openBefore = new Map<string, ReadonlySet<string>>();
  let added = 0;
  for (const { anchor: step_anchor, dependsOn } of steps) {
    const open = new Set<string>();
    for (const { anchor, implied } of dependsOn) {
      const row = implied ? rows.get(anchor) : undefined;
      if (row?.status === "completed") for (const one of openBefore.get(anchor) ?? []) open.add(one);
      else if (row) open.add(anchor);
    }
    openBefore.set(step_anchor, open);
    const status = rows.get(step_anchor)?.status;
    if (status === undefined || status === "completed" || isHeld(status)) continue;
    for (const depends_on of open) {
      if (known.has(`${step_anchor}\n${depends_on}`)) continue;
      await sql.run(insertDependency, { plan_path, step_anchor, depends_on });
      added += 1;
    }
  }
  if (added > 0) await sql.run(recountUnmetDeps, { plan_path });
}
