import { type ItemRow, statement } from "../../platform/index.ts";

/** The items of one step, in the order of the plan. */
export const listStepItems = statement<{ plan_path: string; anchor: string }, ItemRow>(`
  select id, step_anchor, kind, ordinal, text, status, reason, updated_at
    from checklist_items
   where plan_path = :plan_path and step_anchor = :anchor
   order by id
`);
