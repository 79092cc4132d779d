import type { Instant } from "../../domain/index.ts";
import { statement } from "../../platform/index.ts";

/** What a worktree was last used for by a run. */
export const lastInWorktree = statement<
  { worktree: string },
  { readonly plan_path: string | null; readonly anchor: string | null; readonly started_at: Instant }
>(`
  select c.plan_path, c.anchor, c.started_at
    from checkpoints c
    join sessions s on s.id = c.session_id
   where s.worktree = :worktree
   order by c.started_at desc, c.number desc
   limit 1
`);
