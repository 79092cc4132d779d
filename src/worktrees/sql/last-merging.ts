import type { Params } from "../../platform/ports/index.ts";
import { type EventRow, statement } from "../../platform/index.ts";

/** The newest line about a merge: one that was begun and not ended is the work of a call that died. */
export const lastMerging = statement<Params, EventRow>(`
  select *
    from events
   where event in ('worktree-merging', 'worktree-merged')
   order by id desc
   limit 1
`);
