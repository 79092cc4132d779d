import type { Params } from "../../platform/ports/index.ts";
import { statement, type StepRow } from "../../platform/index.ts";

/** Every step that has an owner, of all plans, whether or not the owner is still there. */
export const listHeldSteps = statement<Params, StepRow>(`
  select *
    from steps
   where parent_anchor is null
     and status in ('claimed', 'in_progress', 'awaiting_verification')
   order by plan_path, step_index
`);
