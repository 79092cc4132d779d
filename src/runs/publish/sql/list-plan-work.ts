import type { Instant } from "../../../domain/index.ts";
import { statement } from "../../../platform/index.ts";

/** When agents worked on the steps of a plan. */
export const listPlanWork = statement<
  { plan_path: string },
  { readonly anchor: string; readonly started_at: Instant; readonly ended_at: Instant | null }
>(`
  select anchor,
         started_at,
         ended_at
    from checkpoints
   where plan_path = :plan_path
     and anchor is not null
     and type <> 'verify'
`);
