import { statement } from "../../platform/statement.ts";
import type { EventRow } from "../../platform/rows.ts";

/** The snapshots that were dropped last, newest first. */
export const listDroppedSnapshots = statement<{ most: number }, EventRow>(`
  select *
    from events
   where event = 'snapshot-dropped'
   order by id desc
   limit :most
`);
