import { statement } from "../statement.ts";

/** Where the uncommitted work of a session is kept. */
export const noteSnapshot = statement<{ id: string; snapshot_ref: string }>(`
  update sessions
     set snapshot_ref = :snapshot_ref
   where id = :id
`);
