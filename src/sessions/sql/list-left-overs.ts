import { type CheckpointRow, statement } from "../../platform/index.ts";

export type LeftOverRow = CheckpointRow & { readonly worktree: string };

/** Commands that have no end on record and whose session is over: they may still run. Of all sessions when none is named. */
export const listLeftOvers = statement<
  {
    host_id: string;
    everywhere: number;
    session_id: string | null;
    worktree_id: string | null;
    plan_path: string | null;
    anchor: string | null;
  },
  LeftOverRow
>(`
  select c.*, s.worktree
    from checkpoints c
    join sessions s on s.id = c.session_id
   where c.ended_at is null
     and c.process is not null
     and s.host_id = :host_id
     and s.status <> 'in_progress'
     and (:everywhere = 1
          or s.id = :session_id
          or s.worktree_id = :worktree_id
          or (c.plan_path = :plan_path and c.anchor = :anchor))
   order by c.started_at
`);
