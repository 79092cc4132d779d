import { statement } from "../../platform/index.ts";

/** The last time that a step was taken out of the work, or finished, and what was noted of it. */
export const lastParting = statement<
  { plan_path: string; anchor: string },
  { readonly event: string; readonly detail: string }
>(`
  select event,
         detail
    from events
   where plan_path = :plan_path
     and anchor = :anchor
     and event in ('blocked', 'held', 'reset', 'reopened', 'completed')
   order by id desc
   limit 1
`);
