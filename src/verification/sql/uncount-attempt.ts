import { statement } from "../../platform/index.ts";

/** What passed fails together with what landed meanwhile: that is counted apart from the step's own attempts. */
export const uncountAttempt = statement<{ plan_path: string; anchor: string; claim: number }>(`
  update steps
     set verification_attempts = verification_attempts - 1
   where plan_path = :plan_path
     and anchor = :anchor
     and claim_seq = :claim
     and verification_attempts > 0
`);
