import { type EventRow, statement } from "../../platform/index.ts";

/** What the journal says about full checks of a plan, newest first. */
export const listFullEvents = statement<{ plan_path: string; most: number }, EventRow>(`
  select id, at, plan_path, anchor, event, claim, worktree, session_id, detail
    from events
   where plan_path = :plan_path
     and anchor is null
     and event in ('full-begun', 'full-passed', 'full-failed', 'full-stopped', 'full-decided')
   order by id desc
   limit :most
`);
