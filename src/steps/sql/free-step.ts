import { NOBODY_OWNS_IT } from "./owner.ts";
import { statement } from "../../platform/statement.ts";
import type { StepEvent, StepStatus } from "../../domain/step-machine.ts";

/** Takes the step from whoever holds it. The number rises first of all, so the old owner is fenced off by the same write. Whoever puts it back gives it its attempts again. */
export const freeStep = statement<{
  plan_path: string;
  anchor: string;
  seen_status: StepStatus;
  status: StepStatus;
  event: StepEvent;
  block_reason: string | null;
  block_note: string | null;
}>(`
  update steps
     set status = :status,
         last_event = :event,
         block_reason = :block_reason,
         block_note = :block_note,
         verification_attempts = case when :event in ('retried', 'reset') then 0 else verification_attempts end,
         ${NOBODY_OWNS_IT}
   where plan_path = :plan_path
     and anchor = :anchor
     and status = :seen_status
`);
