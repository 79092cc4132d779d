import type { Params } from "../../platform/ports/database.ts";
import { statement } from "../../platform/statement.ts";
import type { PlanRow } from "../../platform/rows.ts";

/** All plans, without a look at their steps. */
export const listPlanRows = statement<Params, PlanRow>(`
  select *
    from plans
   order by plan_path
`);
