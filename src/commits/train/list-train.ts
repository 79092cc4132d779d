import { type LandingRow, statement } from "../../platform/index.ts";

/**
 * The steps of one clone that wait to land on a branch, in the order in which they land.
 *
 * A step that was sent back, put on hold or taken over is no longer among them: its status or its number says so.
 */
export const listTrain = statement<{ branch: string; clone: string }, LandingRow>(`
  select l.*
    from landings l
    join steps s on s.plan_path = l.plan_path and s.anchor = l.anchor and s.claim_seq = l.claim
   where l.branch = :branch
     and l.clone = :clone
     and l.landed_at is null
     and s.status = 'awaiting_verification'
   order by l.number, l.anchor
`);
