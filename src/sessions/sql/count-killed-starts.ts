import { statement } from "../../platform/index.ts";

/**
 * How often a command or check of a step was cut off by a kill, its own or its runner's, since the step was last taken
 * from the beginning. A runner that a person stops says so, and is not counted.
 */
export const countKilledStarts = statement<
  { plan_path: string; anchor: string; fresh: number },
  { readonly killed: number }
>(`
  select count(*) as killed
    from checkpoints c
   where c.plan_path = :plan_path
     and c.anchor = :anchor
     and c.claim >= :fresh
     and (c.outcome = 'killed'
          or (c.ended_at is null
              and exists (select 1
                            from events e
                           where e.session_id = c.session_id
                             and e.event = 'session-interrupted'
                             and e.at >= c.started_at
                             and e.detail like '%"process_kill"%'
                             and not exists (select 1
                                               from checkpoints n
                                              where n.session_id = c.session_id
                                                and n.number > c.number
                                                and n.started_at <= e.at))))
`);
