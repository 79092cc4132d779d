import { statement } from "../../platform/index.ts";

/** How many attempts since an instant were not the first of their step, by plan. */
export const countRetriesSince = statement<
  { since: string },
  { readonly plan_path: string; readonly retries: number }
>(`
  select plan_path, count(*) as retries
    from attempts
   where number > 1
     and started_at >= :since
   group by plan_path
`);
