import { type SessionRow, statement } from "../../platform/index.ts";

/** One session. */
export const findSession = statement<{ id: string }, SessionRow>(`
  select *
    from sessions
   where id = :id
`);
