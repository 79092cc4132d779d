import { statement } from "../../platform/index.ts";
import type { Instant } from "../../domain/index.ts";

/** When a step's work was last taken back, by a person or with its plan's state, and under which number it had been done. */
export const lastReopening = statement<
  { plan_path: string; anchor: string },
  { event: "reopened" | "reset" | "held" | "begun-anew"; claim: number | null; at: Instant }
>(`
  select event, claim, at
    from events
   where plan_path = :plan_path
     and anchor = :anchor
     and event in ('reopened', 'reset', 'held', 'begun-anew')
   order by id desc
   limit 1
`);
