import { lock, type StepRow } from "../../platform/index.ts";

/**
 * One step, held still until the transaction ends.
 *
 * Every write of an owner checks the owner in its own predicate. That predicate may look at another row than the one
 * written (an item's step, a substep's parent), so with many writers at once that row must not change meanwhile.
 */
export const lockStep = lock<{ plan_path: string; anchor: string }, StepRow>(`
  select *
    from steps
   where plan_path = :plan_path and anchor = :anchor
`);
