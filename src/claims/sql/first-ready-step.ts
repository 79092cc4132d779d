import { lock, pick, type StepRow } from "../../platform/index.ts";
import { type LossParams, OWNER_IS_GONE } from "./first-reclaimable-step.ts";
import { HOLDS_ONE, type OwnParams } from "./first-own-step.ts";

/** Free, and all its dependencies are completed. */
export const IS_READY = `plan_path = :plan_path
     and parent_anchor is null
     and status = 'pending'
     and unmet_deps = 0
     and bound_to is null`;

/**
 * The first free step of the plan, unless the caller holds one already or one before it has lost its owner: one
 * look-up in the index `steps_ready`, however large the plan.
 *
 * Both are asked here and not before, because a step that is picked is locked: a caller that then takes another one would
 * keep this one from its rivals for nothing.
 */
export const firstReadyStep = pick<OwnParams & LossParams, StepRow>(`
  select *
    from steps
   where ${IS_READY}
     and step_index < coalesce((select s.step_index
                                  from steps s
                                 where ${OWNER_IS_GONE}
                                 order by s.step_index
                                 limit 1), 9007199254740991)
     and not ${HOLDS_ONE}
   order by step_index
   limit 1
`);

/** The first free step, waited for: a rival has it in its hands at this moment and may yet leave it. */
export const awaitReadyStep = lock<{ plan_path: string }, StepRow>(`
  select *
    from steps
   where ${IS_READY}
   order by step_index
   limit 1
`);
