import { statement } from "../../platform/index.ts";

/** Whether this worktree ever held the step, and under which number: what tells a late owner from a stranger. */
export const findGrant = statement<
  { plan_path: string; anchor: string; worktree: string; claim: number | null },
  { claim: number | null }
>(`
  select claim
    from events
   where plan_path = :plan_path
     and anchor = :anchor
     and event in ('claimed', 'reclaimed')
     and worktree = :worktree
     and (cast(:claim as bigint) is null or claim = :claim)
   order by id desc
   limit 1
`);
