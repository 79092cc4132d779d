import { statement, type StepRow } from "../../platform/index.ts";

/** Completed steps that keep the text they were done with, while their plan has another one. */
export const listEditedSteps = statement<{ plan_path: string; most: number }, StepRow>(`
  select *
    from steps
   where plan_path = :plan_path
     and parent_anchor is null
     and bound_to is not null
     and status = 'completed'
   order by step_index
   limit :most
`);
