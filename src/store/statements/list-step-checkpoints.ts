import { statement } from "../statement.ts";
import type { CheckpointRow } from "./rows.ts";

/** Every command that was run for a step, oldest first. */
export const listStepCheckpoints = statement<
  { plan_path: string; anchor: string; most: number },
  CheckpointRow
>(`
  select *
    from checkpoints
   where plan_path = :plan_path
     and anchor = :anchor
   order by started_at, number
   limit :most
`);
