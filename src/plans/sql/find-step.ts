import { statement } from "../../platform/statement.ts";
import type { StepRow } from "../../platform/rows.ts";

/** One step or substep. */
export const findStep = statement<{ plan_path: string; anchor: string }, StepRow>(`
  select *
    from steps
   where plan_path = :plan_path and anchor = :anchor
`);
