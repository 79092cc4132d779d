import type { UsageSums } from "../../domain/index.ts";
import { statement } from "../../platform/index.ts";

const SUMS = `cast(sum(input_tokens) as bigint) as input_tokens,
         cast(sum(output_tokens) as bigint) as output_tokens,
         cast(sum(cost_micros) as bigint) as cost_micros,
         cast(sum(case when cost_micros is null then input_tokens + output_tokens else 0 end) as bigint)
           as unpriced_tokens`;

export type StepUsageRow = UsageSums & { readonly anchor: string | null; readonly attempt: number | null };

/** What was spent on a plan, by step and attempt; also for steps that the plan no longer has. */
export const sumPlanUsage = statement<{ plan_path: string }, StepUsageRow>(`
  select anchor, attempt, ${SUMS}
    from usage
   where plan_path = :plan_path
   group by anchor, attempt
   order by anchor, attempt
`);

/** The same for one step. */
export const sumStepUsage = statement<
  { plan_path: string; anchor: string },
  UsageSums & { readonly attempt: number | null }
>(`
  select attempt, ${SUMS}
    from usage
   where plan_path = :plan_path
     and anchor = :anchor
   group by attempt
   order by attempt
`);

/** What was spent on every plan. */
export const sumPlansUsage = statement<
  Record<string, never>,
  UsageSums & { readonly plan_path: string | null }
>(`
  select plan_path, ${SUMS}
    from usage
   group by plan_path
`);

/** The same of what was recorded since an instant. */
export const sumPlansUsageSince = statement<
  { since: string },
  UsageSums & { readonly plan_path: string | null }
>(`
  select plan_path, ${SUMS}
    from usage
   where recorded_at >= :since
   group by plan_path
`);

/** What each command of a session used. */
export const listSessionUsage = statement<{ session_id: string }, UsageSums & { readonly number: number }>(`
  select number, ${SUMS}
    from usage
   where session_id = :session_id
   group by number
`);

/** What a run has spent, all its sessions together. */
export const sumRunUsage = statement<{ run_id: string }, UsageSums>(`
  select ${SUMS}
    from usage
   where session_id in (select id from sessions where run_id = :run_id)
`);

/** What the runs of one conversation of an agent are on record with, those without a price apart. */
export const sumConversationUsage = statement<{ agent: string; agent_session: string }, UsageSums>(`
  select ${SUMS}
    from usage
   where exists (select 1
                   from checkpoints c
                  where c.session_id = usage.session_id
                    and c.number = usage.number
                    and c.agent = :agent
                    and c.agent_session = :agent_session)
   group by case when cost_micros is null then 0 else 1 end
`);
