import { statement } from "../../platform/index.ts";
import type { StepEvent, StepStatus } from "../../domain/index.ts";

/** Gives the step to a new owner and raises its number. The number and status seen before must still be there: of two rivals that chose the same step, one changes no row. */
export const takeStep = statement<{
  plan_path: string;
  anchor: string;
  seen_status: StepStatus;
  seen_claim: number;
  event: StepEvent;
  worktree: string;
  worktree_id: string;
  session_id: string | null;
  host_id: string;
  boot_id: string;
  lease_uptime_ms: number;
  lease_expires_at: string;
  now: string;
}>(`
  update steps
     set status = 'claimed',
         last_event = :event,
         claim_seq = claim_seq + 1,
         claimed_by = :worktree,
         worktree_id = :worktree_id,
         last_worktree_id = :worktree_id,
         session_id = :session_id,
         claimed_host = :host_id,
         claimed_at = :now,
         lease_expires_at = :lease_expires_at,
         lease_boot_id = :boot_id,
         lease_uptime_ms = :lease_uptime_ms,
         heartbeat_at = null,
         started_at = null
   where plan_path = :plan_path
     and anchor = :anchor
     and status = :seen_status
     and claim_seq = :seen_claim
`);
