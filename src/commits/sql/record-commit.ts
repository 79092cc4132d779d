import { statement } from "../../platform/index.ts";

/** The commit of an intent is made, and its step could not be completed with it yet. */
export const recordCommit = statement<{
  plan_path: string;
  anchor: string;
  claim: number;
  commit_hash: string;
}>(`
  update commit_intents
     set commit_hash = :commit_hash
   where plan_path = :plan_path
     and anchor = :anchor
     and claim = :claim
     and closed_at is null
`);
