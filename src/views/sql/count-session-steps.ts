import { statement } from "../../platform/index.ts";

/** How many steps of a plan each session was the last to hold, by how they stand. The journal has who held a blocked one. */
export const countSessionSteps = statement<
  { plan_path: string },
  { readonly session_id: string; readonly status: string; readonly steps: number }
>(`
  select session_id, status, count(*) as steps
    from (select status,
                 case when status = 'blocked'
                      then (select blocked.session_id
                              from events blocked
                             where blocked.plan_path = steps.plan_path
                               and blocked.anchor = steps.anchor
                               and blocked.event = 'blocked'
                             order by blocked.id desc
                             limit 1)
                      else session_id end as session_id
            from steps
           where plan_path = :plan_path
             and parent_anchor is null) held
   where session_id is not null
   group by session_id, status
`);
