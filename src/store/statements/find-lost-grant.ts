import { statement } from "../statement.ts";

export interface LostGrant {
  readonly plan_path: string;
  readonly anchor: string;
  readonly claim: number;
}

/**
 * The step that a worktree held last, if somebody in another worktree took it since.
 *
 * Whatever is uncommitted in that worktree belongs to it: nothing was claimed there afterwards.
 */
export const findLostGrant = statement<{ worktree: string }, LostGrant>(`
  select held.plan_path, held.anchor, held.claim
    from (
      select plan_path, anchor, claim
        from events
       where worktree = :worktree
         and event in ('claimed', 'reclaimed')
       order by id desc
       limit 1
    ) held
   where exists (
     select 1
       from events later
      where later.plan_path = held.plan_path
        and later.anchor = held.anchor
        and later.event in ('claimed', 'reclaimed')
        and later.claim > held.claim
        and later.worktree <> :worktree
   )
`);
