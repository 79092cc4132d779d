import { statement } from "../../platform/index.ts";

/** Of many processes that save one plan at once, exactly one inserts it; the others see 0 rows. */
export const insertPlan = statement<{
  plan_path: string;
  plan_hash: string;
  format: string;
  phase_title: string | null;
  committed_hash: string | null;
  now: string;
}>(`
  insert into plans (plan_path, plan_hash, format, phase_title, status, created_at, updated_at, committed_hash)
  values (:plan_path, :plan_hash, :format, :phase_title, 'active', :now, :now, :committed_hash)
      on conflict (plan_path) do nothing
`);
