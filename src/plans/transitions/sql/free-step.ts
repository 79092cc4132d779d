import { statement } from "../../../platform/index.ts";
import type { StepEvent, StepStatus } from "../../../domain/index.ts";

/** What a step is without an owner. The number rises with the same write, so that write fences off the old holder. */
export const NOBODY_OWNS_IT = `claim_seq = claim_seq + 1,
         claimed_by = null,
         worktree_id = null,
         session_id = null,
         claimed_host = null,
         claimed_at = null,
         lease_expires_at = null,
         lease_boot_id = null,
         lease_uptime_ms = null,
         heartbeat_at = null,
         started_at = null`;

/** Takes the step from its holder. The number rises first, so the same write fences off the old owner. A person who puts it back gives it new attempts. */
export const freeStep = statement<{
  plan_path: string;
  anchor: string;
  seen_status: StepStatus;
  status: StepStatus;
  event: StepEvent;
  block_reason: string | null;
  block_note: string | null;
}>(`
  update steps
     set status = :status,
         last_event = :event,
         block_reason = :block_reason,
         block_note = :block_note,
         verification_attempts = case when :event in ('retried', 'reset') then 0 else verification_attempts end,
         ${NOBODY_OWNS_IT}
   where plan_path = :plan_path
     and anchor = :anchor
     and status = :seen_status
`);
