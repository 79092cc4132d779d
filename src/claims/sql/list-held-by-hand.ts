import { statement, type StepRow } from "../../platform/index.ts";

/** Steps that were claimed by hand from worktrees of one machine, and that could be worked on. */
export const listHeldByHand = statement<{ plan_path: string; host_id: string }, StepRow>(`
  select *
    from steps
   where plan_path = :plan_path
     and parent_anchor is null
     and status in ('claimed', 'in_progress', 'awaiting_verification')
     and claimed_host = :host_id
     and session_id is null
     and unmet_deps = 0
     and bound_to is null
   order by step_index
`);
