import { type CheckpointRow, statement } from "../../platform/index.ts";

/** What a session did last, newest first: one that worked for weeks has more than a person reads through. */
export const listLastCheckpoints = statement<{ session_id: string; most: number }, CheckpointRow>(`
  select *
    from checkpoints
   where session_id = :session_id
   order by number desc
   limit :most
`);
