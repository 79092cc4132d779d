import { statement } from "../../platform/index.ts";

/** The step has landed as this commit. Part of the transaction that completes it. */
export const recordLanded = statement<{
  plan_path: string;
  anchor: string;
  claim: number;
  commit_hash: string;
  now: string;
}>(`
  update landings
     set landed_commit = :commit_hash,
         landed_at = :now
   where plan_path = :plan_path
     and anchor = :anchor
     and claim = :claim
     and landed_at is null
`);
