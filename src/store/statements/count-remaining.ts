import { statement } from "../statement.ts";

/** Counts are exact up to this many; a claim must cost the same in a plan of a million steps. */
export const COUNT_LIMIT = 1000;

/** How much is left, for the worker that just claimed: free steps, and steps that are not completed. */
export const countRemaining = statement<
  { plan_path: string; most: number },
  { ready: number; open: number }
>(`
  select (select count(*)
            from (select 1 from steps
                   where plan_path = :plan_path and parent_anchor is null and status = 'pending' and unmet_deps = 0
                   limit :most) r) as ready,
         (select count(*)
            from (select 1 from steps
                   where plan_path = :plan_path and parent_anchor is null and status <> 'completed'
                   limit :most) o) as open
`);
