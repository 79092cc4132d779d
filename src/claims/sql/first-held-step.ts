import { pick, type StepRow } from "../../platform/index.ts";

/** The first step that a worker holds, for a claim by force when nothing is free. */
export const firstHeldStep = pick<{ plan_path: string }, StepRow>(`
  select *
    from steps
   where plan_path = :plan_path
     and parent_anchor is null
     and status in ('claimed', 'in_progress', 'awaiting_verification')
     and unmet_deps = 0
     and bound_to is null
   order by step_index
   limit 1
`);
