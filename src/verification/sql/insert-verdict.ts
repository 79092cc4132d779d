import { statement } from "../../platform/index.ts";

/** What a verification found, for ever. */
export const insertVerdict = statement<{
  plan_path: string;
  anchor: string;
  attempt: number;
  claim: number | null;
  session_id: string | null;
  outcome: string;
  because: string;
  evidence: string;
  tree: string | null;
  now: string;
}>(`
  insert into verdicts (plan_path, anchor, attempt, claim, session_id, outcome, because, evidence, tree, recorded_at)
  values (:plan_path, :anchor, :attempt, :claim, :session_id, :outcome, :because, :evidence, :tree, :now)
`);
