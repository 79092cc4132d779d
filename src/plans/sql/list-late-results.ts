import { type LateResultRow, statement } from "../../platform/index.ts";

/** Late results of a plan, oldest first. */
export const listLateResults = statement<{ plan_path: string }, LateResultRow>(`
  select id, anchor, claim, worktree, commit_hash, held_ref, recorded_at
    from late_results
   where plan_path = :plan_path
   order by id
`);
