import { type PlanRow, statement } from "../../platform/index.ts";

/** What a claim must know besides its step: the plan, and how many sessions of this machine are marked as running. */
export const findPlanForClaim = statement<
  { plan_path: string; host_id: string },
  PlanRow & { readonly running: number }
>(`
  select p.*,
         (select count(*) from sessions where host_id = :host_id and status = 'in_progress') as running
    from plans p
   where p.plan_path = :plan_path
`);
