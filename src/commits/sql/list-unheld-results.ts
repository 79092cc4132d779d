import { type LateResultRow, statement } from "../../platform/index.ts";

/** Late results with a commit that no ref keeps: their owner was killed, or git failed, right after the record. */
export const listUnheldResults = statement<Record<string, never>, LateResultRow & { plan_path: string }>(`
  select id, plan_path, anchor, claim, worktree, commit_hash, held_ref, recorded_at
    from late_results
   where commit_hash is not null
     and held_ref is null
   order by id
`);
