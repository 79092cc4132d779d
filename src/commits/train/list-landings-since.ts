import { type LandingRow, statement } from "../../platform/index.ts";

/** Landings that were open at some moment since then: a step that was sent back and never came again is not among them. */
export const listLandingsSince = statement<{ since: string; most: number }, LandingRow>(`
  select l.*
    from landings l
    left join steps s on s.plan_path = l.plan_path and s.anchor = l.anchor and s.claim_seq = l.claim
   where (l.landed_at >= :since or (l.landed_at is null and s.status = 'awaiting_verification'))
   order by l.joined_at desc
   limit :most
`);
