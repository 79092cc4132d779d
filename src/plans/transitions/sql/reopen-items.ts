import { statement } from "../../../platform/index.ts";

/** Items that were begun or deferred go back to open; finished ones stay ticked. */
export const reopenItems = statement<{ plan_path: string; anchor: string } & { now: string }>(`
  update checklist_items
     set status = 'open',
         reason = null,
         updated_at = :now
   where plan_path = :plan_path
     and step_anchor = :anchor
     and status in ('in_progress', 'deferred')
`);
