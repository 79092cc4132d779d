import { statement } from "../statement.ts";
import type { SessionRow } from "./rows.ts";

/** The newest sessions, of one plan or of all. */
export const listSessions = statement<{ plan_path: string | null; most: number }, SessionRow>(`
  select *
    from sessions
   where plan_path = coalesce(:plan_path, plan_path)
      or (plan_path is null and :plan_path is null)
   order by started_at desc, id desc
   limit :most
`);
