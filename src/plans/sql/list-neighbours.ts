import { statement } from "../../platform/index.ts";

/** Who waits for a step, and for whom it waits itself, with where those stand. */
export const listNeighbours = statement<
  { plan_path: string; anchor: string },
  { readonly anchor: string; readonly title: string; readonly status: string; readonly waits: number }
>(`
  select s.anchor, s.title, s.status, 1 as waits
    from step_deps d
    join steps s
      on s.plan_path = d.plan_path
     and s.anchor = d.step_anchor
   where d.plan_path = :plan_path
     and d.depends_on = :anchor
   union all
  select s.anchor, s.title, s.status, 0 as waits
    from step_deps d
    join steps s
      on s.plan_path = d.plan_path
     and s.anchor = d.depends_on
   where d.plan_path = :plan_path
     and d.step_anchor = :anchor
`);
