import { type EventRow, statement } from "../../platform/index.ts";

/** The newest line about a base that came into a plan's branch: one that was begun and not ended is of a call that died. */
export const lastSyncing = statement<{ plan_path: string }, EventRow>(`
  select *
    from events
   where plan_path = :plan_path
     and anchor is null
     and event in ('branch-syncing', 'branch-synced')
   order by id desc
   limit 1
`);
