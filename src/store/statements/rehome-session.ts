import { statement } from "../statement.ts";
import { IS_ITS_PROCESS, type SessionProcess } from "./session-process.ts";

/** Its worktree was made anew. */
export const rehomeSession = statement<SessionProcess & { worktree: string; worktree_id: string }>(`
  update sessions
     set worktree = :worktree,
         worktree_id = :worktree_id
   where ${IS_ITS_PROCESS}
     and status = 'in_progress'
`);
