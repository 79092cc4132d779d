import { statement } from "../../platform/index.ts";
import { CALLER_OWNS_IT, type OwnerParams } from "../../steps/index.ts";

/**
 * The owner is about to commit. Only the owner of this moment gets a row, so no worker commits for a step that moved on.
 *
 * A claim has one row. What an earlier call of the same claim had in mind is over by now: it was found to have made
 * no commit, or one that is followed by this.
 */
export const openIntent = statement<
  OwnerParams & {
    number: number;
    parent: string | null;
    message: string;
    unverified: string | null;
    now: string;
  }
>(`
  insert into commit_intents
         (plan_path, anchor, claim, worktree, worktree_id, parent, message, created_at, commit_hash, closed_at, unverified)
  select :plan_path, :anchor, cast(:number as bigint), :worktree, :worktree_id, :parent, :message, :now, null, null, :unverified
   where ${CALLER_OWNS_IT}
     and exists (select 1
                   from steps n
                  where n.plan_path = :plan_path and n.anchor = :owner_anchor and n.claim_seq = :number)
      on conflict (plan_path, anchor, claim) do update
     set worktree = excluded.worktree,
         worktree_id = excluded.worktree_id,
         parent = excluded.parent,
         message = excluded.message,
         created_at = excluded.created_at,
         commit_hash = null,
         closed_at = null,
         branch = null,
         branch_from = null,
         branch_to = null,
         unverified = excluded.unverified
`);
