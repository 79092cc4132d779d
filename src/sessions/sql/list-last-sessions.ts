import type { Params } from "../../platform/ports/index.ts";
import { type SessionRow, statement } from "../../platform/index.ts";

/** Sessions that run, and of each worktree the one that started last. */
export const listLastSessions = statement<Params, SessionRow>(`
  select *
    from sessions
   where status = 'in_progress'
      or (worktree_id, started_at) in (select worktree_id, max(started_at)
                                         from sessions
                                        group by worktree_id)
   order by started_at
`);
