import type { Instant } from "../../domain/index.ts";
import { statement } from "../../platform/index.ts";

export interface SpanTimes {
  readonly started_at: Instant;
  readonly ended_at: Instant;
}

/** A command that was cut off counts until its session ended; one that runs now, until now. */
const TIMES = `c.started_at,
         coalesce(c.ended_at, s.interrupted_at, s.ended_at, :now) as ended_at
    from checkpoints c
    join sessions s on s.id = c.session_id`;

/** When the commands of a run were running. */
export const listRunSpans = statement<{ run_id: string; now: string }, SpanTimes>(`
  select ${TIMES}
   where s.run_id = :run_id
`);

/** When the commands for a step were running. */
export const listStepSpans = statement<{ plan_path: string; anchor: string; now: string }, SpanTimes>(`
  select ${TIMES}
   where c.plan_path = :plan_path
     and c.anchor = :anchor
`);
