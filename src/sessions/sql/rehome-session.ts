import { statement } from "../../platform/index.ts";
import { IS_ITS_PROCESS, type SessionProcess } from "./session-process.ts";

/** Its worktree was made anew, or another one was chosen, with a branch of its own. */
export const rehomeSession = statement<
  SessionProcess & { worktree: string; worktree_id: string; branch: string | null }
>(`
  update sessions
     set worktree = :worktree,
         worktree_id = :worktree_id,
         branch = coalesce(:branch, branch)
   where ${IS_ITS_PROCESS}
     and status = 'in_progress'
`);
