import { statement } from "../statement.ts";

/**
 * A session ends once: whoever comes second changes no row.
 *
 * Named with its process: between the look that found it dead and this write somebody may have taken it up again, and
 * then it lives under the same id.
 *
 * One that was cut off can be resumed when it is known what it was asked to do; older databases do not know. A
 * verification is not taken up again, it is done again.
 */
export const endSession = statement<{
  id: string;
  pid: number;
  process_started_at: string;
  boot_id: string;
  status: string;
  interrupted_at: string | null;
  interruption_type: string | null;
  now: string;
}>(`
  update sessions
     set status = :status,
         ended_at = :now,
         interrupted_at = :interrupted_at,
         interruption_type = :interruption_type,
         resumable = case
           when :status = 'interrupted' and configuration is not null and kind <> 'verify' then 1
           else 0
         end
   where id = :id
     and status = 'in_progress'
     and pid = :pid
     and process_started_at = :process_started_at
     and boot_id = :boot_id
`);
