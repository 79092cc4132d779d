import { statement } from "../statement.ts";

/** Its worktree was made anew. */
export const rehomeSession = statement<{ id: string; worktree: string; worktree_id: string }>(`
  update sessions
     set worktree = :worktree,
         worktree_id = :worktree_id
   where id = :id
     and status = 'in_progress'
`);
