import type { Instant } from "../../domain/index.ts";
import { statement } from "../../platform/index.ts";

/** Agents that ran into a limit on this machine while they worked on a plan, and when the limit ends. */
export const listLimitedAgents = statement<
  { plan_path: string; host_id: string; now: string },
  { readonly agent: string; readonly resets_at: Instant }
>(`
  select c.agent, max(c.resets_at) as resets_at
    from checkpoints c
    join sessions s on s.id = c.session_id
   where c.plan_path = :plan_path
     and s.host_id = :host_id
     and c.agent is not null
     and c.resets_at > :now
   group by c.agent
`);
