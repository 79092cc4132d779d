import { statement } from "../../platform/index.ts";

/** The step of a plan that was completed with this very commit. */
export const findCompletedBy = statement<
  { plan_path: string; commit_hash: string },
  { readonly anchor: string }
>(`
  select anchor
    from steps
   where plan_path = :plan_path
     and commit_hash = :commit_hash
     and status = 'completed'
   limit 1
`);
