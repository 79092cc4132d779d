import { statement } from "../../platform/index.ts";

/** The branch is where it was, or the step is completed: no move of this intent is open any more. */
export const clearLanding = statement<{ plan_path: string; anchor: string; claim: number }>(`
  update commit_intents
     set branch = null,
         branch_from = null,
         branch_to = null
   where plan_path = :plan_path
     and anchor = :anchor
     and claim = :claim
`);
