import { statement } from "../../platform/index.ts";

/**
 * When something was last done for a step. That a repair began is no sign of life: killed in it, `recover` would call
 * the step busy for a day. Only the decision to continue is one, which nothing else records.
 */
export const lastStepSign = statement<{ plan_path: string; anchor: string }, { readonly at: string }>(`
  select at
    from events
   where plan_path = :plan_path
     and anchor = :anchor
     and (event <> 'repair-begun' or detail like '%"repair":"continue"%')
   order by id desc
   limit 1
`);
