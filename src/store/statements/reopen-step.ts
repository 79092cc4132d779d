import { statement } from "../statement.ts";

/** A person takes a completion back, with a reason that stays on the step. */
export const reopenStep = statement<{ plan_path: string; anchor: string; reason: string }>(`
  update steps
     set status = 'pending',
         last_event = 'reopened',
         reopen_reason = :reason,
         completed_at = null,
         commit_hash = null,
         complete_reason = null,
         claim_seq = claim_seq + 1,
         claimed_by = null,
         worktree_id = null,
         session_id = null,
         claimed_host = null,
         claimed_at = null,
         lease_expires_at = null,
         lease_boot_id = null,
         lease_uptime_ms = null,
         heartbeat_at = null,
         started_at = null
   where plan_path = :plan_path
     and anchor = :anchor
     and status = 'completed'
`);
