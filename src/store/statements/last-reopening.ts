import { statement } from "../statement.ts";
import type { Instant } from "../../domain/instant.ts";

/** When a person last took the completion of a step back, and under which number it had been completed. */
export const lastReopening = statement<
  { plan_path: string; anchor: string },
  { claim: number | null; at: Instant }
>(`
  select claim, at
    from events
   where plan_path = :plan_path
     and anchor = :anchor
     and event = 'reopened'
   order by id desc
   limit 1
`);
