import { statement } from "../statement.ts";
import type { CheckpointRow } from "./rows.ts";

/** Commands that have no end on record and whose session is over: they may still run. */
export const listLeftOvers = statement<
  { host_id: string; worktree_id: string | null; plan_path: string | null; anchor: string | null },
  CheckpointRow
>(`
  select c.*
    from checkpoints c
    join sessions s on s.id = c.session_id
   where c.ended_at is null
     and s.host_id = :host_id
     and s.status <> 'in_progress'
     and (s.worktree_id = :worktree_id or (c.plan_path = :plan_path and c.anchor = :anchor))
   order by c.started_at
`);
