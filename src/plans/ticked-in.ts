import { flatten, type Plan } from "../domain/index.ts";
import type { PlanRow, StepRow } from "../platform/index.ts";
import type { PlanContent, Sql } from "../platform/ports/index.ts";
import { formatCarriesStatus } from "./formats/index.ts";
import { statusBeside } from "./plan-state.ts";
import { listSteps } from "./sql/list-steps.ts";

/** What the file calls completed and no worker ever had, by name: a person did it, and ticked it. */
export const tickedIn = (plan: Plan, rows: readonly StepRow[]): readonly string[] => {
  const untouched = new Set(rows.filter(isUntouched).map(({ anchor }) => anchor));
  if (!formatCarriesStatus(plan.format)) return [];
  return flatten(plan)
    .filter(({ step }) => step.progress?.status === "completed" && untouched.has(step.anchor))
    .map(({ step }) => step.anchor);
};

/** As it came out of its plan. A step that was released, reopened or retried is open because Pawl or a person said so. */
const isUntouched = ({ status, last_event, bound_to }: StepRow): boolean =>
  status === "pending" && last_event === "saved" && bound_to === null;

/** Whether a file calls the step done that would be handed out, or, where none would be, one that others may wait for. */
export async function callsDone(
  sql: Sql,
  plan: PlanRow,
  file: PlanContent,
  chosen: StepRow | undefined,
): Promise<boolean> {
  const now = statusBeside(plan, file);
  if (now === undefined) return false;
  return (
    tickedIn(now, chosen ? [chosen] : await sql.all(listSteps, { plan_path: plan.plan_path })).length > 0
  );
}
