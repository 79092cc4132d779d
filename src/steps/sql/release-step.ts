import { statement } from "../../platform/index.ts";
import { NOBODY_OWNS_IT } from "../../plans/index.ts";
import { CALLER_OWNS_IT, type OwnerParams } from "./owner.ts";

/** The owner gives the step back; the number rises, so nothing it still sends counts. */
export const releaseStep = statement<OwnerParams>(`
  update steps
     set status = 'pending',
         last_event = 'released',
         ${NOBODY_OWNS_IT}
   where plan_path = :plan_path
     and anchor = :anchor
     and status in ('claimed', 'in_progress', 'awaiting_verification')
     and ${CALLER_OWNS_IT}
`);
