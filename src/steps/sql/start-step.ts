import { statement } from "../../platform/index.ts";
import { CALLER_OWNS_IT, type OwnerParams } from "./owner.ts";

/** The owner begins. Only a claimed step starts, and only for the one who claimed it. */
export const startStep = statement<OwnerParams & { now: string }>(`
  update steps
     set status = 'in_progress',
         last_event = 'started',
         started_at = :now
   where plan_path = :plan_path
     and anchor = :anchor
     and status = 'claimed'
     and ${CALLER_OWNS_IT}
`);
