import { statement } from "../../../platform/index.ts";
import { NOT_PUT_OFF_BY_ITS_FILE } from "./reopen-items.ts";

/** All items that a worker ticked or deferred go back to open: the work behind the ticks is not in the new owner's worktree. */
export const clearItems = statement<{ plan_path: string; anchor: string } & { now: string }>(`
  update checklist_items
     set status = 'open',
         reason = null,
         updated_at = :now
   where plan_path = :plan_path
     and step_anchor = :anchor
     and status <> 'open'
     and ${NOT_PUT_OFF_BY_ITS_FILE}
`);
