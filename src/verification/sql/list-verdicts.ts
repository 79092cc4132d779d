import { statement, type VerdictRow } from "../../platform/index.ts";

/** Verdicts about a step, oldest first. */
export const listVerdicts = statement<{ plan_path: string; anchor: string }, VerdictRow>(`
  select *
    from verdicts
   where plan_path = :plan_path
     and anchor = :anchor
   order by attempt
`);
