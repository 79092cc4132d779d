import { type EventRow, statement } from "../../platform/index.ts";

/** The newest lines of one kind about a step, newest first; found by the step's index, however long the journal is. */
export const listNamedEvents = statement<
  { plan_path: string; anchor: string; event: string; most: number },
  EventRow
>(`
  select id, at, plan_path, anchor, event, claim, worktree, session_id, detail
    from events
   where plan_path = :plan_path
     and anchor = :anchor
     and event = :event
   order by id desc
   limit :most
`);
