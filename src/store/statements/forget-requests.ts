import { statement } from "../statement.ts";

/** Answers that nobody will ask for again. */
export const forgetRequests = statement<{ before: string }>(`
  delete from requests
   where answered_at < :before
`);
