import type { Params } from "../../ports/database.ts";
import { statement } from "../statement.ts";
import type { PlanRow } from "./rows.ts";

/** All plans, without a look at their steps. */
export const listPlanRows = statement<Params, PlanRow>(`
  select *
    from plans
   order by plan_path
`);
