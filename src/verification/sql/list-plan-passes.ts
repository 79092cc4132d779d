import { statement } from "../../platform/index.ts";

/** What passed for the steps of a plan, the last of each step last. */
export const listPlanPasses = statement<
  { plan_path: string },
  { readonly anchor: string; readonly because: string; readonly evidence: string }
>(`
  select anchor,
         because,
         evidence
    from verdicts
   where plan_path = :plan_path
     and outcome = 'passed'
   order by anchor, attempt
`);
