import { type SessionRow, statement } from "../../platform/index.ts";

export type CommandHere = Pick<
  SessionRow,
  "id" | "kind" | "status" | "worktree" | "worktree_id" | "pid" | "process_started_at" | "boot_id"
> & {
  /** JSON: the command that it runs now, or that outlived it; null between two commands. */
  readonly process: string | null;
};

/**
 * The sessions of this boot that are at work, with what they run; and what runs on after its session ended.
 *
 * By the boot, which the kernel tells: a machine's name can be set by the environment of the very caller that is judged.
 */
export const listCommandsHere = statement<{ boot_id: string }, CommandHere>(`
  select s.id, s.kind, s.status, s.worktree, s.worktree_id, s.pid, s.process_started_at, s.boot_id, c.process
    from sessions s
    left join checkpoints c on c.session_id = s.id and c.ended_at is null
   where s.status = 'in_progress'
     and s.boot_id = :boot_id
   union all
  select s.id, s.kind, s.status, s.worktree, s.worktree_id, s.pid, s.process_started_at, s.boot_id, c.process
    from checkpoints c
    join sessions s on s.id = c.session_id
   where c.ended_at is null
     and c.process is not null
     and s.status <> 'in_progress'
     and s.boot_id = :boot_id
`);
