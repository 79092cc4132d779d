import { statement } from "../../platform/index.ts";
import { goesWith } from "../../steps/index.ts";

/**
 * Unfinished substeps go with their step: same owner, same lease, and a number that is no lower. Finished, blocked and
 * held-back ones stay as they are, also one that a commit proved meanwhile.
 */
export const takeSubsteps = statement<{ plan_path: string; anchor: string }>(`
  update steps
     set status = 'claimed',
         last_event = case when status = 'pending' then 'claimed' else 'reclaimed' end,
         ${goesWith(":anchor")}
   where plan_path = :plan_path
     and parent_anchor = :anchor
     and status in ('pending', 'claimed', 'in_progress', 'awaiting_verification')
`);
