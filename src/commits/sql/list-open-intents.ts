import { type IntentRow, statement } from "../../platform/index.ts";
import type { Params } from "../../platform/ports/index.ts";

/** Commits that were begun and of which the state does not know how they ended, in all plans. */
export const listOpenIntents = statement<Params, IntentRow>(`
  select *
    from commit_intents
   where closed_at is null
   order by plan_path, anchor, claim
`);
