import { statement } from "../../platform/index.ts";

/** Gives a completed step another reason, where the one it has begins with certain words. */
export const acceptCompletion = statement<{
  plan_path: string;
  anchor: string;
  reason: string;
  instead_of: string;
}>(`
  update steps
     set complete_reason = :reason
   where plan_path = :plan_path and anchor = :anchor and status = 'completed' and complete_reason like :instead_of
`);
