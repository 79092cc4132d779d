import { type LandingRow, statement } from "../../platform/index.ts";

/** What is on record about the landing of a claim. */
export const findLanding = statement<{ plan_path: string; anchor: string; claim: number }, LandingRow>(`
  select *
    from landings
   where plan_path = :plan_path
     and anchor = :anchor
     and claim = :claim
`);
