import { statement } from "../../platform/index.ts";

/** Where the commit of a late result is kept, once git has it under that name. Said before, it changes no row. */
export const holdLateResult = statement<{
  plan_path: string;
  anchor: string;
  claim: number;
  commit_hash: string;
  held_ref: string;
}>(`
  update late_results
     set held_ref = :held_ref
   where plan_path = :plan_path
     and anchor = :anchor
     and claim = :claim
     and commit_hash = :commit_hash
     and (held_ref is null or held_ref <> :held_ref)
`);
