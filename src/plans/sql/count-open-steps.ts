import { statement } from "../../platform/index.ts";
import { OPEN_STEP } from "./open-step.ts";

/** How many steps are not completed, up to a limit: enough to know whether the end is near. */
export const countOpenSteps = statement<{ plan_path: string; most: number }, { open: number }>(`
  select count(*) as open
    from (select 1
            from steps
           where plan_path = :plan_path and parent_anchor is null and ${OPEN_STEP}
           limit :most) o
`);
