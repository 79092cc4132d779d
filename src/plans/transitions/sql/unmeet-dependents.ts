import { statement } from "../../../platform/index.ts";

/** A completed step was reopened: all that depend on it wait again. */
export const unmeetDependents = statement<{ plan_path: string; anchor: string }>(`
  update steps
     set unmet_deps = unmet_deps + 1
   where plan_path = :plan_path
     and anchor in (select step_anchor from step_deps
                     where plan_path = :plan_path and depends_on = :anchor)
`);
