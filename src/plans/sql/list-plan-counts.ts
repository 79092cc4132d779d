import type { Params } from "../../platform/ports/index.ts";
import { statement } from "../../platform/index.ts";
import { requiredStep } from "./open-step.ts";

export interface PlanCounts {
  readonly plan_path: string;
  readonly steps_total: number;
  readonly steps_completed: number;
  /** Of substeps, too: each waits for a person's decision. */
  readonly blocked: number;
}

/** All plans with how far they are, from one look at the steps; the totals are of top-level steps that are not optional. */
export const listPlanCounts = statement<Params, PlanCounts>(`
  select p.plan_path,
         count(case when s.parent_anchor is null and ${requiredStep("s.")} then s.anchor end) as steps_total,
         count(case when s.parent_anchor is null and s.status = 'completed' then s.anchor end) as steps_completed,
         count(case when s.status = 'blocked' then s.anchor end) as blocked
    from plans p
    left join steps s on s.plan_path = p.plan_path
   group by p.plan_path
   order by p.plan_path
`);
