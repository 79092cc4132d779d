import { statement } from "../../../platform/index.ts";

/**
 * Names another substep as the one that a step is on hold for.
 *
 * The step changes no hands, so its number stays. One that a person freed meanwhile is not on hold, and is left alone.
 */
export const renameHold = statement<{ plan_path: string; anchor: string; note: string }>(`
  update steps
     set block_note = :note
   where plan_path = :plan_path
     and anchor = :anchor
     and status = 'on_hold'
`);
