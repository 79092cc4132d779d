import { statement } from "../statement.ts";
import type { DependencyRow } from "./rows.ts";

/** What the steps of one page wait for. */
export const pageDependencies = statement<
  { plan_path: string; after: number; until: number },
  DependencyRow
>(`
  select d.step_anchor, d.depends_on
    from steps s
    join step_deps d
      on d.plan_path = s.plan_path
     and d.step_anchor = s.anchor
   where s.plan_path = :plan_path
     and s.step_index > :after
     and s.step_index <= :until
`);
