import { statement } from "../../platform/index.ts";

/** How long the last steps of a plan took, the newest first. */
export const listStepTimes = statement<
  { plan_path: string; most: number },
  { readonly started_at: string; readonly completed_at: string }
>(`
  select started_at, completed_at
    from steps
   where plan_path = :plan_path
     and parent_anchor is null
     and status = 'completed'
     and started_at is not null
     and completed_at is not null
   order by completed_at desc
   limit :most
`);
