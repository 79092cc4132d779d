import { statement } from "../../platform/index.ts";

/** What the plan said when it was saved, so that a lost or edited file can be compared. */
export const insertPlanSnapshot = statement<{
  plan_path: string;
  plan_hash: string;
  format: string;
  content: string;
  now: string;
}>(`
  insert into plan_snapshots (plan_path, plan_hash, format, content, taken_at)
  values (:plan_path, :plan_hash, :format, :content, :now)
      on conflict (plan_path, plan_hash) do nothing
`);
