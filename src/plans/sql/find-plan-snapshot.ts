import { type SnapshotRow, statement } from "../../platform/index.ts";

/** The plan as it was saved under the given hash. */
export const findPlanSnapshot = statement<{ plan_path: string; plan_hash: string }, SnapshotRow>(`
  select plan_hash, format, content, taken_at
    from plan_snapshots
   where plan_path = :plan_path and plan_hash = :plan_hash
`);
