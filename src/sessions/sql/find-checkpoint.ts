import { type CheckpointRow, statement } from "../../platform/index.ts";

/** One command of a session. */
export const findCheckpoint = statement<{ session_id: string; number: number }, CheckpointRow>(`
  select *
    from checkpoints
   where session_id = :session_id
     and number = :number
`);
