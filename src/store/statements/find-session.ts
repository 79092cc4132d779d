import { statement } from "../statement.ts";
import type { SessionRow } from "./rows.ts";

/** One session. */
export const findSession = statement<{ id: string }, SessionRow>(`
  select *
    from sessions
   where id = :id
`);
