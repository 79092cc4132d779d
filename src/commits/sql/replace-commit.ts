import { statement } from "../../platform/index.ts";

/** The commit recorded for a completed step is corrected from git. */
export const replaceCommit = statement<{ plan_path: string; anchor: string; commit_hash: string }>(`
  update steps
     set commit_hash = :commit_hash
   where plan_path = :plan_path
     and anchor = :anchor
     and status = 'completed'
`);
