import { statement } from "../../platform/index.ts";
import { type LossParams, OWNER_IS_GONE } from "./first-reclaimable-step.ts";
import { IS_READY } from "./first-ready-step.ts";

/**
 * Whether a claim would get a step now, by the same two conditions as the claim itself.
 *
 * Asked over all steps of the plan: an answer about the first thousand would differ from the claim's, and a worker
 * would claim and give back without end.
 */
export const hasClaimableStep = statement<LossParams, { found: number }>(`
  select 1 as found
   where exists (select 1 from steps where ${IS_READY})
      or exists (select 1 from steps s where ${OWNER_IS_GONE})
`);
