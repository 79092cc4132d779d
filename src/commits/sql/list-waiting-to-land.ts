import { type StepRow, statement } from "../../platform/index.ts";

/** Verified steps of a plan that wait for the remote they land on. */
export const listWaitingToLand = statement<{ plan_path: string }, StepRow>(`
  select *
    from steps
   where plan_path = :plan_path
     and parent_anchor is null
     and status = 'blocked'
     and block_reason = 'waiting_to_land'
   order by step_index
`);
