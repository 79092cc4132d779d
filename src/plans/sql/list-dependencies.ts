import { type DependencyRow, statement } from "../../platform/index.ts";

/** Every edge of the plan's graph. */
export const listDependencies = statement<{ plan_path: string }, DependencyRow>(`
  select step_anchor, depends_on
    from step_deps
   where plan_path = :plan_path
   order by step_anchor, depends_on
`);
