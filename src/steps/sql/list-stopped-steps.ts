import { statement, type StepRow } from "../../platform/index.ts";

/** Steps that go on only when a person decides, of all plans; those that were stopped by themselves first. */
export const listStoppedSteps = statement<{ most: number }, StepRow>(`
  select *
    from steps
   where parent_anchor is null
     and status in ('blocked', 'on_hold')
   order by status, plan_path, step_index
   limit :most
`);
