import { statement } from "../../platform/index.ts";

/** What one step still waits for. */
export const listOpenDependencies = statement<{ plan_path: string; anchor: string }, { depends_on: string }>(`
  select d.depends_on
    from step_deps d
    join steps t on t.plan_path = d.plan_path and t.anchor = d.depends_on
   where d.plan_path = :plan_path
     and d.step_anchor = :anchor
     and t.status <> 'completed'
   order by t.step_index
`);
