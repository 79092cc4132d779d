import { statement } from "../../platform/index.ts";
import { CALLER_OWNS_IT, type OwnerParams } from "./owner.ts";

/** Verification found something: the step goes back to its owner. */
export const rejectStep = statement<OwnerParams>(`
  update steps
     set status = 'in_progress',
         last_event = 'rejected'
   where plan_path = :plan_path
     and anchor = :anchor
     and status = 'awaiting_verification'
     and ${CALLER_OWNS_IT}
`);
