import { statement } from "../../platform/index.ts";

/** The answer a request id was given before. */
export const findRequest = statement<
  { request_id: string },
  { verb: string; subject: string; answer: string }
>(`
  select verb, subject, answer
    from requests
   where request_id = :request_id
`);
