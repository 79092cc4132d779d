import { statement } from "../../platform/index.ts";

/** A person decided that it is not to be resumed. One that runs is not touched. */
export const abandonSession = statement<{
  id: string;
  snapshot_ref: string | null;
  now: string;
}>(`
  update sessions
     set status = 'abandoned',
         ended_at = coalesce(ended_at, :now),
         snapshot_ref = coalesce(:snapshot_ref, snapshot_ref),
         resumable = 0
   where id = :id
     and status in ('interrupted', 'failed')
`);
