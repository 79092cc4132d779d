import { statement } from "../../platform/index.ts";

/** A session exists before the first work is done. One with a configuration can be resumed, however it ends. */
export const insertSession = statement<{
  id: string;
  plan_path: string | null;
  worktree: string;
  worktree_id: string;
  pid: number;
  process_started_at: string;
  boot_id: string;
  host_id: string;
  run_id: string | null;
  kind: string | null;
  workflow: string | null;
  agent: string | null;
  branch: string | null;
  base: string | null;
  focus: string | null;
  configuration: string | null;
  log_folder: string | null;
  now: string;
}>(`
  insert into sessions (id, plan_path, worktree, worktree_id, pid, process_started_at, boot_id, host_id,
                        status, started_at, resumable, run_id, kind, workflow, agent, branch, base, focus,
                        configuration, log_folder)
  values (:id, :plan_path, :worktree, :worktree_id, :pid, :process_started_at, :boot_id, :host_id,
          'in_progress', :now, 0, :run_id, :kind, :workflow, :agent, :branch, :base, :focus,
          :configuration, :log_folder)
`);
