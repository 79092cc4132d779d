import { pick } from "../statement.ts";
import type { StepRow } from "./rows.ts";

/** The first free step of the plan: one look-up in the index `steps_ready`, however large the plan. */
export const firstReadyStep = pick<{ plan_path: string }, StepRow>(`
  select *
    from steps
   where plan_path = :plan_path
     and parent_anchor is null
     and status = 'pending'
     and unmet_deps = 0
   order by step_index
   limit 1
`);
