import { statement } from "../../platform/index.ts";

/**
 * Numbers of claims go on where the journal left them.
 *
 * Rows of a step may be removed and made anew: the plan lost it and got it back, was pruned, or an older state was
 * restored. Counting from the start again, the step would hand out a number that a forgotten worker still carries.
 */
export const continueNumbers = statement<{ plan_path: string }>(`
  update steps
     set claim_seq = (select max(e.claim)
                        from events e
                       where e.plan_path = steps.plan_path and e.anchor = steps.anchor)
   where plan_path = :plan_path
     and claim_seq < (select coalesce(max(e.claim), 0)
                        from events e
                       where e.plan_path = steps.plan_path and e.anchor = steps.anchor)
`);
