import { statement } from "../../platform/index.ts";

/** Any commit that was made for the plan: they all say it with trailers of one family. */
export const findMadeIntent = statement<{ plan_path: string }, { message: string }>(`
  select message
    from commit_intents
   where plan_path = :plan_path and commit_hash is not null
   limit 1
`);
