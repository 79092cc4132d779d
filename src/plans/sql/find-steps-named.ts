import { statement } from "../../platform/index.ts";

/** The steps of all plans with one anchor. */
export const findStepsNamed = statement<{ anchor: string }, { plan_path: string; status: string }>(`
  select plan_path, status
    from steps
   where anchor = :anchor
     and parent_anchor is null
   order by plan_path
`);
