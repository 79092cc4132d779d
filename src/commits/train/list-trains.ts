import { type LandingRow, statement } from "../../platform/index.ts";
import type { Params } from "../../platform/ports/index.ts";

/** A step that waits to land, with what people know it by. */
export interface WaitingRow extends LandingRow {
  readonly title: string;
  readonly worktree: string | null;
  readonly host: string | null;
  readonly session_status: string | null;
  /** JSON: the newest line of the journal that says that it is verified and waits. */
  readonly waits: string | null;
}

/** The steps that wait to land on any branch, each branch in the order in which they land. */
export const listTrains = statement<Params, WaitingRow>(`
  select l.*, s.title, s.claimed_by as worktree, s.claimed_host as host, x.status as session_status,
         (select e.detail
            from events e
           where e.plan_path = l.plan_path
             and e.anchor = l.anchor
             and e.claim = l.claim
             and e.event = 'waits-to-land'
           order by e.id desc
           limit 1) as waits
    from landings l
    join steps s on s.plan_path = l.plan_path and s.anchor = l.anchor and s.claim_seq = l.claim
    left join sessions x on x.id = l.session_id
   where l.landed_at is null
     and s.status = 'awaiting_verification'
   order by l.branch, l.clone, l.number, l.anchor
`);
