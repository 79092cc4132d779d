import type { Params } from "../../platform/ports/index.ts";
import { type PlanRow, statement } from "../../platform/index.ts";

/** All plans, without a look at their steps. */
export const listPlanRows = statement<Params, PlanRow>(`
  select *
    from plans
   order by plan_path
`);
