import { type SessionRow, statement } from "../../platform/index.ts";

/** The sessions of one run, one for each worker. */
export const listRunSessions = statement<{ run_id: string }, SessionRow>(`
  select *
    from sessions
   where run_id = :run_id
   order by started_at, id
`);
