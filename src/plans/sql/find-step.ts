import { statement, type StepRow } from "../../platform/index.ts";

/** One step or substep. */
export const findStep = statement<{ plan_path: string; anchor: string }, StepRow>(`
  select *
    from steps
   where plan_path = :plan_path and anchor = :anchor
`);
