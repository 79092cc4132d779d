import { statement, type TreeVerdictRow } from "../../platform/index.ts";

/** What checks said about a tree, for ever. */
export const insertTreeVerdict = statement<
  {
    [Column in Exclude<keyof TreeVerdictRow, "recorded_at">]: TreeVerdictRow[Column];
  } & { now: string }
>(`
  insert into tree_verdicts
         (tree, checks, place, worktree_id, kind, plan_path, anchor, claim, session_id, outcome, because, evidence,
          recorded_at)
  values (:tree, :checks, :place, :worktree_id, :kind, :plan_path, :anchor, :claim, :session_id, :outcome, :because,
          :evidence, :now)
`);
