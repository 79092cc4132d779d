import { lock } from "../../platform/index.ts";

/**
 * All steps of a plan, locked: no process claims, completes or releases one until the transaction ends.
 *
 * For the verbs that rewrite or remove a plan. Every worker's write takes the lock of its step first.
 */
export const lockSteps = lock<{ plan_path: string }, { anchor: string }>(`
  select anchor
    from steps
   where plan_path = :plan_path
   order by step_index
`);
