import { type IntentRow, statement } from "../../platform/index.ts";

/** What the holder of a claim was about to commit. */
export const findIntent = statement<{ plan_path: string; anchor: string; claim: number }, IntentRow>(`
  select *
    from commit_intents
   where plan_path = :plan_path and anchor = :anchor and claim = :claim
`);
