import { statement } from "../statement.ts";

/** A verification that could not take place is not held against the step. */
export const uncountAttempt = statement<{ plan_path: string; anchor: string; claim: number }>(`
  update steps
     set verification_attempts = case when verification_attempts > 0 then verification_attempts - 1 else 0 end
   where plan_path = :plan_path
     and anchor = :anchor
     and claim_seq = :claim
`);
