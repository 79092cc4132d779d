import { statement } from "../../platform/index.ts";
import { OPEN_STEP } from "./open-step.ts";

/** Counts are exact up to this many; a claim must cost the same in a plan of a million steps. */
export const COUNT_LIMIT = 200;

/** How much is left, for the worker that just claimed: steps that are not completed, and how many of them are free. */
export const countRemaining = statement<
  { plan_path: string; most: number },
  { ready: number; open: number }
>(`
  select count(case when status = 'pending' and unmet_deps = 0 then 1 end) as ready,
         count(*) as open
    from (select status, unmet_deps
            from steps
           where plan_path = :plan_path and parent_anchor is null and ${OPEN_STEP}
           order by step_index
           limit :most) o
`);
