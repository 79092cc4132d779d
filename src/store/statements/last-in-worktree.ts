import { statement } from "../statement.ts";

/** What a worktree was last used for by a run. */
export const lastInWorktree = statement<
  { worktree: string },
  { readonly plan_path: string | null; readonly anchor: string | null }
>(`
  select c.plan_path, c.anchor
    from checkpoints c
    join sessions s on s.id = c.session_id
   where s.worktree = :worktree
   order by c.started_at desc, c.number desc
   limit 1
`);
