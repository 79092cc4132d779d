import { statement, type StepRow } from "../../../platform/index.ts";

/** The substeps of one step in the order of the plan. */
export const listSubsteps = statement<{ plan_path: string; anchor: string }, StepRow>(`
  select *
    from steps
   where plan_path = :plan_path and parent_anchor = :anchor
   order by step_index
`);
