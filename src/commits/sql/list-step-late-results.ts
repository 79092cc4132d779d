import { type LateResultRow, statement } from "../../platform/index.ts";

/** Late results of one step, oldest first. */
export const listStepLateResults = statement<{ plan_path: string; anchor: string }, LateResultRow>(`
  select id, anchor, claim, worktree, commit_hash, held_ref, recorded_at
    from late_results
   where plan_path = :plan_path
     and anchor = :anchor
   order by id
`);
