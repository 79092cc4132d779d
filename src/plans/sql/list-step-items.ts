import { statement } from "../../platform/statement.ts";
import type { ItemRow } from "../../platform/rows.ts";

/** The items of one step, in the order of the plan. */
export const listStepItems = statement<{ plan_path: string; anchor: string }, ItemRow>(`
  select id, step_anchor, kind, ordinal, text, status, reason, updated_at
    from checklist_items
   where plan_path = :plan_path and step_anchor = :anchor
   order by id
`);
