import { statement, type TreeVerdictRow } from "../../platform/index.ts";

/** What checks said about a tree, the newest first. */
export const listTreeVerdicts = statement<{ tree: string }, TreeVerdictRow>(`
  select *
    from tree_verdicts
   where tree = :tree
   order by recorded_at desc
   limit 100
`);
