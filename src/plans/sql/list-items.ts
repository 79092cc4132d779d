import { type ItemRow, statement } from "../../platform/index.ts";

/** Every item of the plan, in the order of the plan. */
export const listItems = statement<{ plan_path: string }, ItemRow>(`
  select id, step_anchor, kind, ordinal, text, status, reason, updated_at
    from checklist_items
   where plan_path = :plan_path
   order by id
`);
