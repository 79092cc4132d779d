import { statement } from "../../platform/statement.ts";
import type { SessionRow } from "../../platform/rows.ts";

/** One session. */
export const findSession = statement<{ id: string }, SessionRow>(`
  select *
    from sessions
   where id = :id
`);
