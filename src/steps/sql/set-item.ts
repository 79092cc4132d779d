import { statement } from "../../platform/index.ts";
import { CALLER_OWNS_IT, IS_WORKED_ON, type OwnerParams } from "./owner.ts";

/** The owner ticks one item. */
export const setItem = statement<
  OwnerParams & { kind: string; ordinal: number; status: string; reason: string | null; now: string }
>(`
  update checklist_items
     set status = :status,
         reason = :reason,
         updated_at = :now
   where plan_path = :plan_path
     and step_anchor = :anchor
     and kind = :kind
     and ordinal = :ordinal
     and ${CALLER_OWNS_IT}
     and ${IS_WORKED_ON}
`);
