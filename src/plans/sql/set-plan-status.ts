import { statement } from "../../platform/index.ts";
import { OPEN_STEP } from "./open-step.ts";

/** A plan is done when no top-level step is left open but optional ones, and active again as soon as one is. */
export const setPlanStatus = statement<{ plan_path: string; now: string }>(`
  update plans
     set status = case
           when exists (select 1 from steps
                         where plan_path = :plan_path and parent_anchor is null and ${OPEN_STEP})
           then 'active' else 'done' end,
         updated_at = :now
   where plan_path = :plan_path
`);
