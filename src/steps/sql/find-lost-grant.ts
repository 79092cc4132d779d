import { statement } from "../../platform/index.ts";

export interface LostGrant {
  readonly plan_path: string;
  readonly anchor: string;
  readonly claim: number;
}

/**
 * The step that a worktree held last, if a worker in another worktree took it since; with `besides`, the last one
 * besides that step. One that was completed there, or given back, was not lost, no matter which worker has it now: otherwise files
 * that came much later would be taken for its work, and a worker be refused that has done everything in order. Nor is
 * it about a worktree that was at the same place before.
 */
export const findLostGrant = statement<
  { worktree: string; besides_plan: string | null; besides_anchor: string | null },
  LostGrant
>(`
  select held.plan_path, held.anchor, held.claim
    from (
      select plan_path, anchor, claim
        from events
       where worktree = :worktree
         and event in ('claimed', 'reclaimed')
         and id > coalesce((
           select max(id)
             from events
            where worktree = :worktree
              and event in ('worktree-created', 'worktree-saved', 'worktree-removed')
              and event <> 'worktree-saved'
         ), 0)
         and (
           cast(:besides_plan as text) is null
           or plan_path <> :besides_plan
           or anchor <> :besides_anchor
         )
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
   )
     and not exists (
     select 1
       from events ended
      where ended.plan_path = held.plan_path
        and ended.anchor = held.anchor
        and ended.event in ('completed', 'released')
        and ended.claim = held.claim
        and ended.worktree = :worktree
   )
`);
