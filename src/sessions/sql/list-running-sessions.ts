import { type SessionRow, statement } from "../../platform/index.ts";

/** Sessions of this machine that are marked as running, whether or not their process still is. */
export const listRunningSessions = statement<{ host_id: string }, SessionRow>(`
  select *
    from sessions
   where host_id = :host_id and status = 'in_progress'
   order by started_at
`);
