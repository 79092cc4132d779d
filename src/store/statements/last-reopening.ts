import { statement } from "../statement.ts";

/** When a step's completion was last taken back. */
export const lastReopening = statement<{ plan_path: string; anchor: string }, { at: string }>(`
  select at
    from events
   where plan_path = :plan_path
     and anchor = :anchor
     and event = 'reopened'
   order by id desc
   limit 1
`);
