import { statement, type TreeVerdictRow } from "../../platform/index.ts";

/**
 * The newest verdict about a tree by the same checks.
 *
 * A verdict from a worktree, which may hold more than the tree, is good for that worktree alone. What was said about a
 * step before it was reopened or reset is not repeated for that step.
 */
export const findTreeVerdict = statement<
  {
    tree: string;
    checks: string;
    worktree_id: string | null;
    plan_path: string | null;
    anchor: string | null;
    fresh: number;
  },
  TreeVerdictRow
>(`
  select *
    from tree_verdicts
   where tree = :tree
     and checks = :checks
     and (place = 'clean' or worktree_id = :worktree_id)
     and not (coalesce(plan_path, '') = coalesce(:plan_path, '')
              and coalesce(anchor, '') = coalesce(:anchor, '')
              and coalesce(claim, 0) < :fresh)
   order by recorded_at desc
   limit 1
`);
