import { statement } from "../../platform/index.ts";

/**
 * Raises the number of a step that a worker holds, and changes nothing else: from here on its owner's writes are refused.
 *
 * Only from the number that was seen, so that of two who take over only one does.
 */
export const fenceStep = statement<{ plan_path: string; anchor: string; session_id: string; claim: number }>(`
  update steps
     set claim_seq = claim_seq + 1
   where plan_path = :plan_path
     and anchor = :anchor
     and session_id = :session_id
     and claim_seq = :claim
`);
