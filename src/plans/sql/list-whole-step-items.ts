import { type ItemRow, statement } from "../../platform/index.ts";

/**
 * The items of a step and of its substeps: its own first, then those of each substep in the order of the plan. A substep
 * without items is its own: task 1, in the words of its title.
 *
 * With `or` instead of `in` SQLite would read every step of the plan.
 */
export const listWholeStepItems = statement<{ plan_path: string; anchor: string }, ItemRow>(`
  select coalesce(i.id, 0) as id,
         s.anchor as step_anchor,
         coalesce(i.kind, 'task') as kind,
         coalesce(i.ordinal, 0) as ordinal,
         coalesce(i.text, s.title) as text,
         coalesce(i.status, case when s.status = 'completed' then 'completed' else 'open' end) as status,
         i.reason,
         i.updated_at
    from steps s
    left join checklist_items i
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
     and (i.id is not null or s.parent_anchor is not null)
   order by case when s.anchor = :anchor then 0 else 1 end, s.step_index, i.id
`);
