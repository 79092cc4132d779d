import { statement } from "../../platform/index.ts";

/** Who last said what a plan is: the line of the journal that its hash came with. */
export const lastSaving = statement<
  { plan_path: string },
  { at: string; worktree: string | null; detail: string }
>(`
  select at, worktree, detail
    from events
   where plan_path = :plan_path
     and anchor is null
     and event in ('saved', 'saved-again', 'plan-grown', 'restored')
   order by id desc
   limit 1
`);
