import { statement } from "../../platform/index.ts";
import { CALLER_OWNS_IT, type OwnerParams } from "../../steps/index.ts";

/**
 * The owner is about to move a branch to its commit. Only the owner of this moment gets the mark, so no branch moves
 * for a claim that is over.
 *
 * A commit that an earlier claim made has no row under this number yet.
 */
export const markLanding = statement<
  OwnerParams & {
    number: number;
    commit_hash: string;
    branch: string;
    branch_from: string;
    branch_to: string;
    now: string;
  }
>(`
  insert into commit_intents
         (plan_path, anchor, claim, worktree, worktree_id, parent, message, created_at, commit_hash, closed_at,
          branch, branch_from, branch_to)
  select :plan_path, :anchor, cast(:number as bigint), :worktree, :worktree_id, null, '', :now, :commit_hash, null,
         :branch, :branch_from, :branch_to
   where ${CALLER_OWNS_IT}
     and exists (select 1
                   from steps n
                  where n.plan_path = :plan_path and n.anchor = :owner_anchor and n.claim_seq = :number)
      on conflict (plan_path, anchor, claim) do update
     set closed_at = null,
         branch = excluded.branch,
         branch_from = excluded.branch_from,
         branch_to = excluded.branch_to
`);
