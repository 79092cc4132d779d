import { statement } from "../../platform/index.ts";

/** Says which tree a step will land as, and on top of what it was built: those behind it build on that. */
export const setCandidate = statement<{
  plan_path: string;
  anchor: string;
  claim: number;
  base: string;
  base_tree: string;
  tree: string;
}>(`
  update landings
     set base = :base,
         base_tree = :base_tree,
         tree = :tree
   where plan_path = :plan_path
     and anchor = :anchor
     and claim = :claim
`);
