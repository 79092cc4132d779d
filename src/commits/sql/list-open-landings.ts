import { type IntentRow, statement } from "../../platform/index.ts";

/** Moves of a branch that were begun and of which the state does not know how they ended. */
export const listOpenLandings = statement<{ branch: string }, IntentRow>(`
  select *
    from commit_intents
   where closed_at is null
     and branch = :branch
   order by plan_path, anchor, claim
`);
