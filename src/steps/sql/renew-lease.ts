import { statement } from "../../platform/index.ts";
import { CALLER_OWNS_IT, type OwnerParams } from "./owner.ts";

/** The owner is alive. A lease never gets shorter: a beat made under a clock set back must not hand the step to others. */
export const renewLease = statement<
  OwnerParams & { boot_id: string; lease_uptime_ms: number; lease_expires_at: string; now: string }
>(`
  update steps
     set heartbeat_at = :now,
         lease_uptime_ms = case
           when lease_boot_id = :boot_id and lease_uptime_ms > :lease_uptime_ms then lease_uptime_ms
           else :lease_uptime_ms end,
         lease_boot_id = :boot_id,
         lease_expires_at = case
           when lease_expires_at > :lease_expires_at then lease_expires_at
           else :lease_expires_at end
   where plan_path = :plan_path
     and (anchor = :anchor or parent_anchor = :anchor)
     and status in ('claimed', 'in_progress', 'awaiting_verification')
     and ${CALLER_OWNS_IT}
`);
