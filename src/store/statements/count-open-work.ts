import { statement } from "../statement.ts";
import type { PlanRow } from "./rows.ts";

export type OpenWork = { readonly items: number; readonly substeps: number; readonly dependents: number };

const OPEN_WORK = `(select count(*)
            from checklist_items
           where plan_path = :plan_path and step_anchor = :anchor and status not in ('completed', 'deferred')) as items,
         (select count(*)
            from steps
           where plan_path = :plan_path and parent_anchor = :anchor and status <> 'completed') as substeps,
         (select count(*)
            from step_deps
           where plan_path = :plan_path and depends_on = :anchor) as dependents`;

/**
 * What stands between a step and its end, and who waits for it.
 *
 * Asked under the step's lock: items, substeps and edges only change under it. The usual answer is nothing at all, so
 * the rows themselves are fetched only where somebody must be told of them.
 */
export const countOpenWork = statement<{ plan_path: string; anchor: string }, OpenWork>(`
  select ${OPEN_WORK}
`);

/** The same with the plan, and how many of its steps are open, this one among them, up to a limit: all that a completion asks. */
export const lookAtWork = statement<
  { plan_path: string; anchor: string; most: number },
  PlanRow & OpenWork & { readonly open_steps: number }
>(`
  select p.*,
         ${OPEN_WORK},
         (select count(*)
            from (select 1
                    from steps
                   where plan_path = :plan_path and parent_anchor is null and status <> 'completed'
                   limit :most) o) as open_steps
    from plans p
   where p.plan_path = :plan_path
`);
