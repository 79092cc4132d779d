import { type SessionRow, statement } from "../../platform/index.ts";

/** The newest sessions, of one plan or of all, of one status or of any. */
export const listSessions = statement<
  { plan_path: string | null; status: SessionRow["status"] | null; most: number },
  SessionRow
>(`
  select *
    from sessions
   where (cast(:plan_path as text) is null or plan_path = :plan_path)
     and (cast(:status as text) is null or status = :status)
   order by started_at desc, id desc
   limit :most
`);
