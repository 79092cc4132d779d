import type { Params } from "../../platform/ports/database.ts";
import { statement } from "../../platform/statement.ts";
import type { StepRow } from "../../platform/rows.ts";

/** Every step that somebody owns, of all plans, whether or not the owner is still there. */
export const listHeldSteps = statement<Params, StepRow>(`
  select *
    from steps
   where parent_anchor is null
     and status in ('claimed', 'in_progress', 'awaiting_verification')
   order by plan_path, step_index
`);
