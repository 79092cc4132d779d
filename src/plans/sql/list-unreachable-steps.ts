import { statement } from "../../platform/index.ts";
import { LANE_OF } from "./lane-of.ts";

/**
 * The pending steps of a plan that no agent can begin before a person acts: those that depend, at whatever distance, on
 * a step that is blocked, on hold or of an interrupted session, or that `session` holds.
 *
 * The edges are taken out of their table first: SQLite then looks them up by what they lead to, where it would read all
 * edges of the plan again for each step that is found.
 */
export const listUnreachableSteps = statement<
  { plan_path: string; session: string },
  { readonly anchor: string }
>(`
  with recursive edges(needed, waiting) as materialized (
    select depends_on, step_anchor
      from step_deps
     where plan_path = :plan_path
  ),
  unreachable(anchor) as (
    select anchor
      from steps
     where plan_path = :plan_path
       and status not in ('pending', 'completed')
       and (session_id = :session or ${LANE_OF.trim()} = 'stopped')
     union
    select e.waiting
      from unreachable u
      join edges e
        on e.needed = u.anchor
  )
  select s.anchor
    from unreachable u
    join steps s
      on s.plan_path = :plan_path
     and s.anchor = u.anchor
   where s.status = 'pending'
     and s.parent_anchor is null
`);
