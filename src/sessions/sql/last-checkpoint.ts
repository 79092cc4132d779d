import { type CheckpointRow, statement } from "../../platform/index.ts";

/** The command of a workflow that was reached last for a step in one worktree, by whatever session. */
export const lastCheckpoint = statement<
  { plan_path: string; anchor: string; worktree_id: string },
  CheckpointRow
>(`
  select c.*
    from checkpoints c
    join sessions s on s.id = c.session_id
   where c.plan_path = :plan_path
     and c.anchor = :anchor
     and s.worktree_id = :worktree_id
     and c.position >= 0
   order by c.started_at desc, c.number desc
   limit 1
`);
