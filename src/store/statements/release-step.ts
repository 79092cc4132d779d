import { statement } from "../statement.ts";
import { CALLER_OWNS_IT, type OwnerParams } from "./owner.ts";

/** The owner gives the step back; the number rises, so nothing it still sends counts. */
export const releaseStep = statement<OwnerParams>(`
  update steps
     set status = 'pending',
         last_event = 'released',
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
     and status in ('claimed', 'in_progress', 'awaiting_verification')
     and ${CALLER_OWNS_IT}
`);
