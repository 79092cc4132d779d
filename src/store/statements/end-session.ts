import { statement } from "../statement.ts";

/**
 * A session ends once: whoever comes second changes no row.
 *
 * One that was cut off can be resumed when it is known what it was asked to do; older databases do not know. A
 * verification is not taken up again, it is done again.
 */
export const endSession = statement<{
  id: string;
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
`);
