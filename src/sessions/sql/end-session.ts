import { statement } from "../../platform/index.ts";
import { IS_ITS_PROCESS, type SessionProcess } from "./session-process.ts";

/**
 * A session ends once: a second caller changes no row.
 *
 * Named with its process: between the look that found it dead and this write another process may have resumed it, and
 * then it lives under the same id.
 *
 * One that was cut off can be resumed when it is known what it was asked to do; older databases do not know. A
 * verification is not taken up again, it is done again.
 */
export const endSession = statement<
  SessionProcess & {
    status: string;
    interrupted_at: string | null;
    interruption_type: string | null;
    now: string;
  }
>(`
  update sessions
     set status = :status,
         ended_at = :now,
         interrupted_at = :interrupted_at,
         interruption_type = :interruption_type,
         resumable = case
           when :status = 'interrupted' and configuration is not null and kind <> 'verify' then 1
           else 0
         end
   where ${IS_ITS_PROCESS}
     and status = 'in_progress'
`);
