import { statement } from "../../platform/index.ts";

/** One edge of the plan's graph. */
export const insertDependency = statement<{ plan_path: string; step_anchor: string; depends_on: string }>(`
  insert into step_deps (plan_path, step_anchor, depends_on)
  values (:plan_path, :step_anchor, :depends_on)
`);
