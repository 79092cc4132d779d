import { statement } from "../../platform/index.ts";

/** Before a verification starts: one that kills its own runner is counted all the same. */
export const insertAttempt = statement<{
  plan_path: string;
  anchor: string;
  number: number;
  claim: number | null;
  session_id: string | null;
  tree: string | null;
  now: string;
}>(`
  insert into attempts (plan_path, anchor, number, claim, session_id, tree, started_at)
  values (:plan_path, :anchor, :number, :claim, :session_id, :tree, :now)
`);
