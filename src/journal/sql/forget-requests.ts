import { statement } from "../../platform/index.ts";

/** What is kept whatever a clock says: one that jumped must not make an answer of a minute ago look old. */
export const KEPT_REQUESTS = 10_000;

/** As many as go at a time: a call that happens to clear up must not wait for years of them. */
export const MOST_FORGOTTEN = 1000;

/** Answers that no caller will ask for again: old ones, the oldest first, and only where many newer ones are kept. */
export const forgetRequests = statement<{ before: string; kept: number; most: number }>(`
  delete from requests
   where request_id in (select request_id from requests order by answered_at limit :most)
     and answered_at < :before
     and answered_at < (select answered_at from requests order by answered_at desc limit 1 offset :kept)
`);
