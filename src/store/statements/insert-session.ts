import { statement } from "../statement.ts";

/** A session exists before the first work is done. */
export const insertSession = statement<{
  id: string;
  plan_path: string | null;
  worktree: string;
  worktree_id: string;
  pid: number;
  process_started_at: string;
  boot_id: string;
  host_id: string;
  now: string;
}>(`
  insert into sessions (id, plan_path, worktree, worktree_id, pid, process_started_at, boot_id, host_id,
                        status, started_at, resumable)
  values (:id, :plan_path, :worktree, :worktree_id, :pid, :process_started_at, :boot_id, :host_id,
          'in_progress', :now, 0)
`);
