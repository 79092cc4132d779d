import { statement } from "../../platform/index.ts";

/** The plan was read again: same key, new content. */
export const replacePlan = statement<{
  plan_path: string;
  plan_hash: string;
  format: string;
  phase_title: string | null;
  committed_hash: string | null;
  now: string;
}>(`
  update plans
     set plan_hash = :plan_hash,
         format = :format,
         phase_title = :phase_title,
         committed_hash = :committed_hash,
         updated_at = :now
   where plan_path = :plan_path
`);
