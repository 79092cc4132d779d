import { statement } from "../../platform/index.ts";
import { CALLER_OWNS_IT, type OwnerParams } from "./owner.ts";

/**
 * The owner hands its work to verification, which counts once it has a verdict.
 *
 * A step that has used up its attempts changes no row for any caller.
 */
export const markAwaitingVerification = statement<OwnerParams & { counts: number; most: number }>(`
  update steps
     set status = 'awaiting_verification',
         last_event = 'submitted'
   where plan_path = :plan_path
     and anchor = :anchor
     and status = 'in_progress'
     and verification_attempts + :counts <= :most
     and ${CALLER_OWNS_IT}
`);
