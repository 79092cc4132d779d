import { IN_THE_FILE } from "../../../domain/index.ts";
import { statement } from "../../../platform/index.ts";

/** Optional and dropped items are those of the plan's author: no change of hands makes them work of the step. */
export const NOT_PUT_OFF_BY_ITS_FILE = `not (status = 'deferred' and coalesce(reason, '') in ('deferred ${IN_THE_FILE}', 'dropped ${IN_THE_FILE}'))`;

/** Items that were begun, or that a worker deferred, go back to open; finished ones stay ticked. */
export const reopenItems = statement<{ plan_path: string; anchor: string } & { now: string }>(`
  update checklist_items
     set status = 'open',
         reason = null,
         updated_at = :now
   where plan_path = :plan_path
     and step_anchor = :anchor
     and status in ('in_progress', 'deferred')
     and ${NOT_PUT_OFF_BY_ITS_FILE}
`);
