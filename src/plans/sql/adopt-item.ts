import type { ItemStatus } from "../../domain/index.ts";
import { statement } from "../../platform/index.ts";

/** An item that its file shows as done or put off, when the plan is read for the first time. */
export const adoptItem = statement<{
  plan_path: string;
  anchor: string;
  kind: string;
  ordinal: number;
  status: ItemStatus;
  reason: string | null;
  now: string;
}>(`
  update checklist_items
     set status = :status,
         reason = :reason,
         updated_at = :now
   where plan_path = :plan_path
     and step_anchor = :anchor
     and kind = :kind
     and ordinal = :ordinal
     and status = 'open'
`);
