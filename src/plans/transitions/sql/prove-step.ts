import { statement } from "../../../platform/index.ts";
import type { StepStatus } from "../../../domain/index.ts";

/**
 * A commit proves that the step was done, no matter which worker held it. The number rises, which fences off an owner that still works.
 *
 * It rises past the number that the commit was made under. With a new database numbers start again, and none may be
 * given out that an old signature still vouches for.
 */
export const proveStep = statement<{
  plan_path: string;
  anchor: string;
  seen_status: StepStatus;
  commit_hash: string | null;
  complete_reason: string | null;
  proved_claim: number;
  now: string;
}>(`
  update steps
     set status = 'completed',
         last_event = 'proved',
         claim_seq = case when claim_seq > :proved_claim then claim_seq else :proved_claim end + 1,
         completed_at = :now,
         commit_hash = :commit_hash,
         complete_reason = :complete_reason,
         block_reason = null,
         block_note = null,
         lease_expires_at = null,
         lease_boot_id = null,
         lease_uptime_ms = null
   where plan_path = :plan_path
     and anchor = :anchor
     and status = :seen_status
`);
