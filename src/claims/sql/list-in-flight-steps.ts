import { statement, type StepRow } from "../../platform/index.ts";
import { IS_READY } from "./first-ready-step.ts";

/**
 * The first steps that a worker holds or could claim: as long as there is one, the plan is not stuck.
 *
 * Found over the whole plan, through the indexes of both. Among the first open steps there may be none although
 * workers are busy with later ones.
 */
export const listInFlightSteps = statement<{ plan_path: string; most: number }, StepRow>(`
  select *
    from steps
   where ${IS_READY}
   union all
  select *
    from steps
   where plan_path = :plan_path
     and parent_anchor is null
     and status in ('claimed', 'in_progress', 'awaiting_verification')
     and unmet_deps = 0
   order by step_index
   limit :most
`);
