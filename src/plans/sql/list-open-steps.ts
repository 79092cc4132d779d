import { statement, type StepRow } from "../../platform/index.ts";
import { OPEN_STEP } from "./open-step.ts";

/** The first steps that are not completed, to say why none of them can be claimed. */
export const listOpenSteps = statement<{ plan_path: string; most: number }, StepRow>(`
  select *
    from steps
   where plan_path = :plan_path
     and parent_anchor is null
     and ${OPEN_STEP}
   order by step_index
   limit :most
`);
