import { statement } from "../../platform/index.ts";

/** Whether what a claim brought was refused as too late, and kept for a person. */
export const findLateResult = statement<
  { plan_path: string; anchor: string; claim: number },
  { readonly held_ref: string | null }
>(`
  select held_ref
    from late_results
   where plan_path = :plan_path
     and anchor = :anchor
     and claim = :claim
   order by id desc
   limit 1
`);
