import { statement } from "../../platform/index.ts";

/** Remembers an answer in the transaction that made it true, so that a caller killed before hearing it can ask again. */
export const insertRequest = statement<{
  request_id: string;
  verb: string;
  subject: string;
  answer: string;
  now: string;
}>(`
  insert into requests (request_id, verb, subject, answer, answered_at)
  values (:request_id, :verb, :subject, :answer, :now)
`);
