import { type CheckpointRow, statement } from "../../platform/index.ts";

/** Everything a session did, in order. */
export const listCheckpoints = statement<{ session_id: string }, CheckpointRow>(`
  select *
    from checkpoints
   where session_id = :session_id
   order by number
`);
