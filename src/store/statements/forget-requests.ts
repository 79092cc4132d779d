import { statement } from "../statement.ts";

/** What is kept whatever a clock says: one that jumped must not make an answer of a minute ago look old. */
export const KEPT_REQUESTS = 10_000;

/** Answers that nobody will ask for again: old ones, and only where many newer ones are kept. */
export const forgetRequests = statement<{ before: string; kept: number }>(`
  delete from requests
   where answered_at < :before
     and answered_at < (select answered_at from requests order by answered_at desc limit 1 offset :kept)
`);
