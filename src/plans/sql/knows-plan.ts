import { statement } from "../../platform/index.ts";

/** Whether the journal tells of a plan, also of one whose state was removed since. */
export const knowsPlan = statement<{ plan_path: string }, { known: number }>(`
  select 1 as known
    from events
   where plan_path = :plan_path
   limit 1
`);
