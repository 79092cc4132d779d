import { type IntentRow, statement } from "../../platform/index.ts";

/** Every intent of a plan, the open ones and those that are over. */
export const listIntents = statement<{ plan_path: string }, IntentRow>(`
  select *
    from commit_intents
   where plan_path = :plan_path
   order by anchor, claim
`);
