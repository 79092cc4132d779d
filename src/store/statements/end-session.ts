import { statement } from "../statement.ts";

/** A session ends once: whoever comes second changes no row. */
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
         interruption_type = :interruption_type
   where id = :id
     and status = 'in_progress'
`);
