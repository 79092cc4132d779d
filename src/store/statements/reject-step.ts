import { statement } from "../statement.ts";
import { CALLER_OWNS_IT, type OwnerParams } from "./owner.ts";

/**
 * The step goes back to its owner. Where verification found something, the failure counts with the same write; what was
 * cut off, or could not be judged, has not failed.
 */
export const rejectStep = statement<OwnerParams & { failures: 0 | 1 }>(`
  update steps
     set status = 'in_progress',
         last_event = 'rejected',
         verification_attempts = verification_attempts + :failures
   where plan_path = :plan_path
     and anchor = :anchor
     and status = 'awaiting_verification'
     and ${CALLER_OWNS_IT}
`);
