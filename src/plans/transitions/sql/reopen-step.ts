import { NOBODY_OWNS_IT } from "./free-step.ts";
import { statement } from "../../../platform/index.ts";

/** A person takes a completion back, with a reason that stays on the step. */
export const reopenStep = statement<{ plan_path: string; anchor: string; reason: string }>(`
  update steps
     set status = 'pending',
         last_event = 'reopened',
         reopen_reason = :reason,
         completed_at = null,
         commit_hash = null,
         commit_ref = null,
         complete_reason = null,
         verification_attempts = 0,
         ${NOBODY_OWNS_IT}
   where plan_path = :plan_path
     and anchor = :anchor
     and status = 'completed'
`);
