import { type EventRow, statement } from "../../platform/index.ts";

/** The newest lines of the journal, newest first. */
export const listLastEvents = statement<
  { plan_path: string | null; anchor: string | null; most: number },
  EventRow
>(`
  select id, at, plan_path, anchor, event, claim, worktree, session_id, detail
    from events
   where (cast(:plan_path as text) is null or plan_path = :plan_path)
     and (cast(:anchor as text) is null or anchor = :anchor)
   order by id desc
   limit :most
`);
