import { statement } from "../../platform/index.ts";

/** The step that landed as a commit, also where it was reopened since. */
export const landedStepOf = statement<
  { plan_path: string; commit_hash: string },
  { readonly anchor: string }
>(`
  select anchor from landings where plan_path = :plan_path and landed_commit = :commit_hash
  union all
  select anchor from steps where plan_path = :plan_path and commit_hash = :commit_hash and parent_anchor is null
   limit 1
`);
