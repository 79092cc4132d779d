import { statement } from "../../platform/index.ts";
import { CALLER_OWNS_IT, type OwnerParams } from "./owner.ts";

/** The owner is done. An old number, another worktree or a step that moved on changes no row. */
export const completeStep = statement<
  OwnerParams & {
    commit_hash: string | null;
    commit_ref: string | null;
    complete_reason: string | null;
    now: string;
  }
>(`
  update steps
     set status = 'completed',
         last_event = 'completed',
         completed_at = :now,
         commit_hash = :commit_hash,
         commit_ref = :commit_ref,
         complete_reason = :complete_reason,
         lease_expires_at = null,
         lease_boot_id = null,
         lease_uptime_ms = null
   where plan_path = :plan_path
     and anchor = :anchor
     and status in ('in_progress', 'awaiting_verification')
     and ${CALLER_OWNS_IT}
`);
