import { statement } from "../../platform/index.ts";
import { goesWith } from "./owner.ts";
import type { StepEvent, StepStatus } from "../../domain/index.ts";

/**
 * A substep goes with its step: same owner, same lease, and a number that is no lower. One that a commit proved meanwhile
 * stays completed.
 */
export const takeSubstep = statement<{
  plan_path: string;
  anchor: string;
  parent_anchor: string;
  seen_status: StepStatus;
  event: StepEvent;
}>(`
  update steps
     set status = 'claimed',
         last_event = :event,
         ${goesWith(":parent_anchor")}
   where plan_path = :plan_path
     and anchor = :anchor
     and status = :seen_status
`);
