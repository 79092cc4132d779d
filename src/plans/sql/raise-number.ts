import { statement } from "../../platform/index.ts";

/** A number that a signature still vouches for is never given out again. */
export const raiseNumber = statement<{ plan_path: string; anchor: string; claim: number }>(`
  update steps
     set claim_seq = :claim
   where plan_path = :plan_path
     and anchor = :anchor
     and claim_seq < :claim
`);
