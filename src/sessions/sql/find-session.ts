import { lock, type SessionRow, statement } from "../../platform/index.ts";

const ONE = `
  select *
    from sessions
   where id = :id
`;

/** One session. */
export const findSession = statement<{ id: string }, SessionRow>(ONE);

/** The same for a claim that is about to give it a step: it must not end in between, or no process would ever see that the step lost its owner. */
export const lockSession = lock<{ id: string }, SessionRow>(ONE);
