import { type SessionRow, statement } from "../../platform/index.ts";

/** The session that last worked on a step. */
export const lastSessionOf = statement<{ plan_path: string; anchor: string }, SessionRow>(`
  select s.*
    from sessions s
    join checkpoints c on c.session_id = s.id
   where c.plan_path = :plan_path
     and c.anchor = :anchor
   order by c.started_at desc, c.number desc
   limit 1
`);
