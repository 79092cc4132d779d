import { statement } from "../../platform/index.ts";

/** Whether a verification under this claim passed on exactly this tree. */
export const findPassedTree = statement<
  { plan_path: string; anchor: string; claim: number; tree: string },
  { attempt: number }
>(`
  select attempt
    from verdicts
   where plan_path = :plan_path and anchor = :anchor and claim = :claim and tree = :tree and outcome = 'passed'
   limit 1
`);
