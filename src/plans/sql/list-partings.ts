import type { Instant } from "../../domain/index.ts";
import { statement } from "../../platform/index.ts";

/** The last times that a step was taken out of the work, put back or finished, newest first, and what was noted. */
export const listPartings = statement<
  { plan_path: string; anchor: string; most: number },
  { readonly event: string; readonly at: Instant; readonly detail: string }
>(`
  select event,
         at,
         detail
    from events
   where plan_path = :plan_path
     and anchor = :anchor
     and event in ('blocked', 'retried', 'reset', 'reopened', 'released', 'completed')
   order by id desc
   limit :most
`);
