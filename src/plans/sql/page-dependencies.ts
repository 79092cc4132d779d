import { type DependencyRow, statement } from "../../platform/index.ts";

/**
 * What the steps of one page wait for.
 *
 * The steps are chosen by a query of their own: joined, SQLite would look at every dependency of the plan for each page.
 */
export const pageDependencies = statement<
  { plan_path: string; after: number; until: number },
  DependencyRow
>(`
  select step_anchor, depends_on
    from step_deps
   where plan_path = :plan_path
     and step_anchor in (select anchor
                           from steps
                          where plan_path = :plan_path
                            and step_index > :after
                            and step_index <= :until)
`);
