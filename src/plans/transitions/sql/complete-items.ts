import { statement } from "../../../platform/index.ts";

/** Ticks what is left when a step is completed by force or proved by a commit. */
export const completeItems = statement<{ plan_path: string; anchor: string } & { now: string }>(`
  update checklist_items
     set status = 'completed',
         updated_at = :now
   where plan_path = :plan_path
     and step_anchor = :anchor
     and status not in ('completed', 'deferred')
`);
