import type { Params } from "../../platform/ports/index.ts";
import { type PlanRow, statement } from "../../platform/index.ts";
import { requiredStep } from "./open-step.ts";

/** All plans with how far they are; the counts are of top-level steps that are not optional. */
export const listPlans = statement<
  Params,
  PlanRow & { steps_total: number; steps_completed: number; steps_held: number }
>(`
  select p.*,
         (select count(*) from steps s
           where s.plan_path = p.plan_path and s.parent_anchor is null and ${requiredStep("s.")}) as steps_total,
         (select count(*) from steps s
           where s.plan_path = p.plan_path and s.parent_anchor is null and s.status = 'completed') as steps_completed,
         (select count(*) from steps s
           where s.plan_path = p.plan_path and s.parent_anchor is null
             and s.status in ('claimed', 'in_progress', 'awaiting_verification')) as steps_held
    from plans p
   order by p.plan_path
`);
