export type OpenStepWork = { readonly items: number; readonly substeps: number; readonly dependents: number };

/**
 * What stands between a step and its end, and who waits for it.
 *
 * Asked under the step's lock: items, substeps and edges only change under it. The usual answer is nothing at all, so
 * the rows themselves are fetched only where a message names them.
 */
export const OPEN_WORK = `(select count(*)
            from checklist_items
           where plan_path = :plan_path and step_anchor = :anchor and status not in ('completed', 'deferred')) as items,
         (select count(*)
            from steps
           where plan_path = :plan_path and parent_anchor = :anchor and status <> 'completed') as substeps,
         (select count(*)
            from step_deps
           where plan_path = :plan_path and depends_on = :anchor) as dependents`;
