import { statement } from "../../platform/index.ts";

/** Nothing is left to do for an intent. In the transaction that completes the step, or finds that there is nothing to. */
export const closeIntent = statement<{
  plan_path: string;
  anchor: string;
  claim: number;
  commit_hash: string | null;
  now: string;
}>(`
  update commit_intents
     set commit_hash = :commit_hash,
         closed_at = :now
   where plan_path = :plan_path
     and anchor = :anchor
     and claim = :claim
`);
