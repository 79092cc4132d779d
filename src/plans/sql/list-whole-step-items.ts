import { type ItemRow, statement } from "../../platform/index.ts";

/**
 * The items of a step and of its substeps: its own first, then those of each substep in the order of the plan.
 *
 * With `or` instead of `in` SQLite would read every step of the plan.
 */
export const listWholeStepItems = statement<{ plan_path: string; anchor: string }, ItemRow>(`
  select i.id, i.step_anchor, i.kind, i.ordinal, i.text, i.status, i.reason, i.updated_at
    from steps s
    join checklist_items i
      on i.plan_path = s.plan_path
     and i.step_anchor = s.anchor
   where s.plan_path = :plan_path
     and s.anchor in (
       select cast(:anchor as text)
       union all
       select sub.anchor
         from steps sub
        where sub.plan_path = :plan_path
          and sub.parent_anchor = :anchor
     )
   order by case when s.anchor = :anchor then 0 else 1 end, s.step_index, i.id
`);
