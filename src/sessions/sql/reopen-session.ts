import { statement } from "../../platform/index.ts";

/** Takes a session up again in another process. Of two who try, one changes no row. */
export const reopenSessionRow = statement<{
  id: string;
  worktree: string;
  worktree_id: string;
  branch: string | null;
  pid: number;
  process_started_at: string;
  boot_id: string;
  host_id: string;
}>(`
  update sessions
     set status = 'in_progress',
         worktree = :worktree,
         worktree_id = :worktree_id,
         branch = coalesce(:branch, branch),
         pid = :pid,
         process_started_at = :process_started_at,
         boot_id = :boot_id,
         host_id = :host_id,
         ended_at = null,
         interrupted_at = null,
         interruption_type = null,
         paused_until = null,
         resumable = 0
   where id = :id
     and status = 'interrupted'
     and configuration is not null
`);
