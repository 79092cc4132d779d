import { statement } from "../../platform/index.ts";

/** When a session was last known to do something; null for one that never came to it. */
export const lastSign = statement<{ session_id: string }, { readonly at: string | null }>(`
  select max(signs.at) as at
    from (select coalesce(ended_at, started_at) as at
            from checkpoints
           where session_id = :session_id
          union all
          select heartbeat_at
            from steps
           where session_id = :session_id) signs
`);
