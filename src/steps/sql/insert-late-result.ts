import { statement } from "../../platform/index.ts";

/** What a fenced-off owner brought after all: it changes nothing, and is kept. */
export const insertLateResult = statement<{
  plan_path: string;
  anchor: string;
  claim: number | null;
  worktree: string;
  commit_hash: string | null;
  held_ref: string | null;
  now: string;
}>(`
  insert into late_results (plan_path, anchor, claim, worktree, commit_hash, held_ref, recorded_at)
  values (:plan_path, :anchor, :claim, :worktree, :commit_hash, :held_ref, :now)
`);
