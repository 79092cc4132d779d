import { type SessionRow, statement } from "../../platform/index.ts";

/** The session that started last in a worktree, whether or not it still runs. */
export const lastSessionOfWorktree = statement<{ worktree_id: string }, SessionRow>(`
  select *
    from sessions
   where worktree_id = :worktree_id
   order by started_at desc
   limit 1
`);
