import { statement, type TreeVerdictRow } from "../../platform/index.ts";

/**
 * The newest verdict about a tree by the same checks, for the same step.
 *
 * A check sees which step it runs for, so what passed for one step says nothing about another one with the same files:
 * a step whose work was taken away would pass on the verdict of the step before it. A verdict from a worktree, which
 * may hold more than the tree, is good for that worktree alone. What was said about a step before it was reopened or
 * reset is not repeated.
 */
export const findTreeVerdict = statement<
  {
    tree: string;
    checks: string;
    worktree_id: string | null;
    plan_path: string;
    anchor: string;
    fresh: number;
  },
  TreeVerdictRow
>(`
  select *
    from tree_verdicts
   where tree = :tree
     and checks = :checks
     and plan_path = :plan_path
     and anchor = :anchor
     and claim >= :fresh
     and (place = 'clean' or worktree_id = :worktree_id)
   order by recorded_at desc
   limit 1
`);
