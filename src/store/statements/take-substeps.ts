import { statement } from "../statement.ts";

/**
 * Unfinished substeps go with their step: same owner, same lease, and a number that is no lower. Finished, blocked and
 * held-back ones stay as they are, also one that a commit proved meanwhile.
 */
export const takeSubsteps = statement<{ plan_path: string; anchor: string }>(`
  update steps
     set status = 'claimed',
         last_event = case when status = 'pending' then 'claimed' else 'reclaimed' end,
         (claim_seq, claimed_by, worktree_id, last_worktree_id, session_id, claimed_host,
          claimed_at, lease_expires_at, lease_boot_id, lease_uptime_ms)
         = (select case when steps.claim_seq > p.claim_seq then steps.claim_seq else p.claim_seq end, p.claimed_by, p.worktree_id, p.worktree_id, p.session_id, p.claimed_host,
                   p.claimed_at, p.lease_expires_at, p.lease_boot_id, p.lease_uptime_ms
              from steps p
             where p.plan_path = :plan_path and p.anchor = :anchor),
         heartbeat_at = null,
         started_at = null
   where plan_path = :plan_path
     and parent_anchor = :anchor
     and status in ('pending', 'claimed', 'in_progress', 'awaiting_verification')
`);
