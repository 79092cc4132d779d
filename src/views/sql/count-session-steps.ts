import { statement } from "../../platform/index.ts";

/** How many steps of a plan each session was the last to hold, by how they stand. */
export const countSessionSteps = statement<
  { plan_path: string },
  { readonly session_id: string; readonly status: string; readonly steps: number }
>(`
  select session_id, status, count(*) as steps
    from steps
   where plan_path = :plan_path
     and parent_anchor is null
     and session_id is not null
   group by session_id, status
`);
