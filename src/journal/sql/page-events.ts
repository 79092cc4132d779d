import { type EventRow, statement } from "../../platform/index.ts";

/**
 * The journal backwards, from one line down to another. The bounds are on the number of the line, so that a filter that
 * fits nothing costs no more than one that fits all.
 */
export const pageEvents = statement<
  {
    below: number;
    from: number;
    plan_path: string | null;
    anchor: string | null;
    event: string | null;
    session_id: string | null;
    find: string | null;
    most: number;
  },
  EventRow
>(`
  select id, at, plan_path, anchor, event, claim, worktree, session_id, detail
    from events
   where id < :below
     and id >= :from
     and (cast(:plan_path as text) is null or plan_path = :plan_path)
     and (cast(:anchor as text) is null or anchor = :anchor)
     and (cast(:event as text) is null or event = :event)
     and (cast(:session_id as text) is null or session_id = :session_id)
     and (cast(:find as text) is null
          or lower(event || ' ' || coalesce(plan_path, '') || ' ' || coalesce(anchor, '') || ' ' ||
                   coalesce(worktree, '') || ' ' || coalesce(session_id, '') || ' ' || cast(detail as text))
             like :find escape '!')
   order by id desc
   limit :most
`);
