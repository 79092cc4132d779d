import type { Params } from "../../platform/ports/index.ts";
import { type EventRow, statement } from "../../platform/index.ts";

/** The newest lines about merges into bases. */
export const listMerges = statement<Params, EventRow>(`
  select *
    from events
   where event in ('worktree-merging', 'worktree-merged')
   order by id desc
   limit 200
`);
