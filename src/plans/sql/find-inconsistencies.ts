import type { Params } from "../../platform/ports/index.ts";
import { statement } from "../../platform/index.ts";
import { openStep } from "./open-step.ts";

/** Rows that contradict each other. None can come from Pawl; all can come from an edited or damaged database. */
export const findInconsistencies = statement<Params, { plan_path: string; anchor: string; problem: string }>(`
  select s.plan_path, s.anchor, 'the count of open dependencies is wrong' as problem
    from steps s
   where s.unmet_deps <> (select count(*)
                            from step_deps d
                            join steps t on t.plan_path = d.plan_path and t.anchor = d.depends_on
                           where d.plan_path = s.plan_path and d.step_anchor = s.anchor and t.status <> 'completed')
  union all
  select s.plan_path, s.anchor, 'it is completed, but a substep is not'
    from steps s
   where s.status = 'completed'
     and exists (select 1 from steps c
                  where c.plan_path = s.plan_path and c.parent_anchor = s.anchor and c.status <> 'completed')
  union all
  select p.plan_path, '', 'it is marked done, but a step is open'
    from plans p
   where p.status = 'done'
     and exists (select 1 from steps s
                  where s.plan_path = p.plan_path and s.parent_anchor is null and ${openStep("s.")})
`);
