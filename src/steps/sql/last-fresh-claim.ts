import { statement } from "../../platform/index.ts";

/** The number under which a step was last taken from the beginning; what followed went on with the same work. */
export const lastFreshClaim = statement<
  { plan_path: string; anchor: string },
  { readonly claim: number | null }
>(`
  select max(claim) as claim
    from events
   where plan_path = :plan_path
     and anchor = :anchor
     and event = 'claimed'
`);
