import { statement } from "../../platform/index.ts";

/** A verification came to a verdict. One that was cut off, or could not be judged, is not held against the step. */
export const countAttempt = statement<{ plan_path: string; anchor: string; claim: number }>(`
  update steps
     set verification_attempts = verification_attempts + 1
   where plan_path = :plan_path
     and anchor = :anchor
     and claim_seq = :claim
`);
