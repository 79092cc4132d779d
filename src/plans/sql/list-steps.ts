import { statement, type StepRow } from "../../platform/index.ts";

/** Steps and substeps in the order of the plan. */
export const listSteps = statement<{ plan_path: string }, StepRow>(`
  select *
    from steps
   where plan_path = :plan_path
   order by step_index
`);
