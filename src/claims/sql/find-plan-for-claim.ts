import { type PlanRow, statement } from "../../platform/index.ts";

/**
 * What a claim must know besides its step: the plan, how many sessions of this machine are marked as running, and how
 * many steps keep an earlier text although no worker holds them.
 */
export const findPlanForClaim = statement<
  { plan_path: string; host_id: string },
  PlanRow & { readonly running: number; readonly loose: number }
>(`
  select p.*,
         (select count(*) from sessions where host_id = :host_id and status = 'in_progress') as running,
         (select count(*)
            from steps s
           where s.plan_path = p.plan_path
             and s.bound_to is not null
             and s.status not in ('claimed', 'in_progress', 'awaiting_verification')) as loose
    from plans p
   where p.plan_path = :plan_path
`);
