import { statement, type VerdictRow } from "../../platform/index.ts";

/** Verdicts about every step of a plan, oldest first. The evidence stays where it is: it is long. */
export const listPlanVerdicts = statement<
  { plan_path: string },
  Pick<VerdictRow, "anchor" | "attempt" | "outcome" | "because" | "recorded_at">
>(`
  select anchor, attempt, outcome, because, recorded_at
    from verdicts
   where plan_path = :plan_path
   order by recorded_at, attempt
`);
