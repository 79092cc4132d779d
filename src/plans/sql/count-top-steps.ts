import { statement } from "../../platform/index.ts";

/** How many steps a plan has, its substeps not counted. */
export const countTopSteps = statement<{ plan_path: string }, { steps: number }>(`
  select count(*) as steps
    from steps
   where plan_path = :plan_path and parent_anchor is null
`);
