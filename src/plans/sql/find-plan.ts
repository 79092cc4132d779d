import { type PlanRow, statement } from "../../platform/index.ts";

/** The state of one plan, if it has any. */
export const findPlan = statement<{ plan_path: string }, PlanRow>(`
  select *
    from plans
   where plan_path = :plan_path
`);
