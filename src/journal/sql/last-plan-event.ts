import { statement } from "../../platform/index.ts";
import type { Instant } from "../../domain/index.ts";

/** When the journal last said anything about a plan. */
export const lastPlanEvent = statement<{ plan_path: string }, { readonly at: Instant | null }>(`
  select max(at) as at
    from events
   where plan_path = :plan_path
`);
