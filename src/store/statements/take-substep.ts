import { statement } from "../statement.ts";
import type { StepEvent, StepStatus } from "../../domain/step-machine.ts";

/** A substep goes with its step: same owner, same number, same lease. One that a commit proved meanwhile stays completed. */
export const takeSubstep = statement<{
  plan_path: string;
  anchor: string;
  parent_anchor: string;
  seen_status: StepStatus;
  event: StepEvent;
}>(`
  update steps
     set status = 'claimed',
         last_event = :event,
         (claim_seq, claimed_by, worktree_id, last_worktree_id, session_id, claimed_host,
          claimed_at, lease_expires_at, lease_boot_id, lease_uptime_ms)
         = (select case when steps.claim_seq > p.claim_seq then steps.claim_seq else p.claim_seq end, p.claimed_by, p.worktree_id, p.worktree_id, p.session_id, p.claimed_host,
                   p.claimed_at, p.lease_expires_at, p.lease_boot_id, p.lease_uptime_ms
              from steps p
             where p.plan_path = :plan_path and p.anchor = :parent_anchor),
         heartbeat_at = null,
         started_at = null
   where plan_path = :plan_path
     and anchor = :anchor
     and status = :seen_status
`);
