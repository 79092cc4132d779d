import { type CheckpointRow, statement } from "../../platform/index.ts";

/**
 * A check that passed for exactly this tree in this worktree, and came into no verdict because its runner was killed.
 *
 * Whatever was judged since is left to its verdict, and a step that was put back or reopened is checked anew.
 */
export const findRecordedPass = statement<
  {
    plan_path: string;
    anchor: string;
    fresh: number;
    worktree_id: string;
    checked: string;
    tree: string;
  },
  CheckpointRow
>(`
  select c.*
    from checkpoints c
    join sessions s on s.id = c.session_id
   where c.plan_path = :plan_path
     and c.anchor = :anchor
     and c.claim >= :fresh
     and s.worktree_id = :worktree_id
     and c.checked = :checked
     and c.exit_code = 0
     and c.outcome = 'finished'
     and c.tree_before = :tree
     and c.tree_after = :tree
     and not exists (select 1
                       from verdicts v
                      where v.plan_path = c.plan_path
                        and v.anchor = c.anchor
                        and v.recorded_at >= c.ended_at)
   order by c.ended_at desc
   limit 1
`);
