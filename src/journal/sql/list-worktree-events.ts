import { type EventRow, statement } from "../../platform/index.ts";

/** What last happened to a worktree as such, newest first. */
export const listWorktreeEvents = statement<{ worktree: string; most: number }, EventRow>(`
  select *
    from events
   where worktree = :worktree
     and event in ('worktree-created', 'worktree-saved', 'worktree-removed')
   order by id desc
   limit :most
`);
