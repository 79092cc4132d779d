import { statement } from "../statement.ts";
import type { Instant } from "../../domain/instant.ts";

/** When a person last took a step's work back, and under which number it had been done. */
export const lastReopening = statement<
  { plan_path: string; anchor: string },
  { event: "reopened" | "reset" | "held"; claim: number | null; at: Instant }
>(`
  select event, claim, at
    from events
   where plan_path = :plan_path
     and anchor = :anchor
     and event in ('reopened', 'reset', 'held')
   order by id desc
   limit 1
`);
