import { statement } from "../../../platform/index.ts";

/** A step was completed: all that wait for it wait for one less. Two dependencies finishing at once both count, because the row itself is counted down. */
export const meetDependents = statement<{ plan_path: string; anchor: string }>(`
  update steps
     set unmet_deps = unmet_deps - 1
   where plan_path = :plan_path
     and anchor in (select step_anchor from step_deps
                     where plan_path = :plan_path and depends_on = :anchor)
`);
