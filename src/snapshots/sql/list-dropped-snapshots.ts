import { type EventRow, statement } from "../../platform/index.ts";

/** The snapshots that were dropped last, newest first. */
export const listDroppedSnapshots = statement<{ most: number }, EventRow>(`
  select *
    from events
   where event = 'snapshot-dropped'
   order by id desc
   limit :most
`);
