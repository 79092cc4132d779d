import { statement } from "../../platform/index.ts";

/** The newest snapshot that was taken between the commands of a session. */
export const lastKept = statement<{ session_id: string }, { readonly snapshot_ref: string }>(`
  select snapshot_ref
    from checkpoints
   where session_id = :session_id
     and snapshot_ref is not null
   order by number desc
   limit 1
`);
