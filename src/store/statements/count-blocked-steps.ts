import type { Params } from "../../ports/database.ts";
import { statement } from "../statement.ts";

/** Steps of all plans that wait for a person's decision. */
export const countBlockedSteps = statement<Params, { readonly blocked: number }>(`
  select count(*) as blocked
    from steps
   where status = 'blocked'
`);
