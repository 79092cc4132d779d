import { type EventRow, statement } from "../../platform/index.ts";

/** The newest lines about one step, newest first; found by the index, however long the journal is. */
export const listStepEvents = statement<{ plan_path: string; anchor: string; most: number }, EventRow>(`
  select id, at, plan_path, anchor, event, claim, worktree, session_id, detail
    from events
   where plan_path = :plan_path
     and anchor = :anchor
   order by id desc
   limit :most
`);
