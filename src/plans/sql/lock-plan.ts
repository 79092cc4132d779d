import { lock } from "../../platform/index.ts";

/** Held before a plan is settled: of two last steps completed at once, the second must see the first. */
export const lockPlan = lock<{ plan_path: string }, { plan_path: string }>(`
  select plan_path
    from plans
   where plan_path = :plan_path
`);
