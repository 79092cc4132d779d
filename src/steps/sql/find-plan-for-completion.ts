import { type PlanRow, statement } from "../../platform/index.ts";
import { OPEN_STEP, OPEN_WORK, type OpenStepWork } from "../../plans/index.ts";

/**
 * All that a completion asks: the plan, what is open about the step, and how many steps of the plan are open, this one
 * among them, up to a limit.
 */
export const findPlanForCompletion = statement<
  { plan_path: string; anchor: string; most: number },
  PlanRow & OpenStepWork & { readonly open_steps: number }
>(`
  select p.*,
         ${OPEN_WORK},
         (select count(*)
            from (select 1
                    from steps
                   where plan_path = :plan_path and parent_anchor is null and ${OPEN_STEP}
                   order by step_index
                   limit :most) o) as open_steps
    from plans p
   where p.plan_path = :plan_path
`);
