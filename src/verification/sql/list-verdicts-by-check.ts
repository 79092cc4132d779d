import { statement, type TreeVerdictRow } from "../../platform/index.ts";

/** What one check said about trees in clean checkouts, oldest first. */
export const listVerdictsByCheck = statement<{ checks: string }, Pick<TreeVerdictRow, "tree" | "outcome">>(`
  select tree, outcome
    from tree_verdicts
   where checks = :checks
     and place = 'clean'
   order by recorded_at
`);
