import { type EventRow, statement } from "../../platform/index.ts";

/** The journal after a given line, of one plan or of all. */
export const listEvents = statement<
  { after: number; plan_path: string | null; anchor: string | null; most: number },
  EventRow
>(`
  select id, at, plan_path, anchor, event, claim, worktree, session_id, detail
    from events
   where id > :after
     and (cast(:plan_path as text) is null or plan_path = :plan_path)
     and (cast(:anchor as text) is null or anchor = :anchor)
   order by id
   limit :most
`);
