import { statement } from "../../platform/index.ts";

/** Counts for every step how many of its dependencies are open, after the edges of a plan were written anew. */
export const recountUnmetDeps = statement<{ plan_path: string }>(`
  update steps
     set unmet_deps = (select count(*)
                         from step_deps d
                         join steps t on t.plan_path = d.plan_path and t.anchor = d.depends_on
                        where d.plan_path = steps.plan_path
                          and d.step_anchor = steps.anchor
                          and t.status <> 'completed')
   where plan_path = :plan_path
`);
