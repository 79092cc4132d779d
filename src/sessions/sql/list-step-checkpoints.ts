import type { Instant } from "../../domain/index.ts";
import { type CheckpointRow, statement } from "../../platform/index.ts";

export type StepCheckpointRow = CheckpointRow & {
  /** When its session ended, for a command that never got to its end. */
  readonly cut_off_at: Instant | null;
  /** The work that was kept when it ended, or when its session was cut off in it. */
  readonly kept_ref: string | null;
};

/** Every command that was run for a step, oldest first. */
export const listStepCheckpoints = statement<
  { plan_path: string; anchor: string; most: number },
  StepCheckpointRow
>(`
  select c.*,
         (select coalesce(x.interrupted_at, x.ended_at)
            from sessions x
           where x.id = c.session_id
             and c.ended_at is null
             and x.status <> 'in_progress') as cut_off_at,
         coalesce(c.snapshot_ref,
                  (select x.snapshot_ref
                     from sessions x
                    where x.id = c.session_id
                      and c.number = (select max(l.number)
                                        from checkpoints l
                                       where l.session_id = c.session_id))) as kept_ref
    from checkpoints c
   where c.plan_path = :plan_path
     and c.anchor = :anchor
   order by c.started_at, c.number
   limit :most
`);
