import type { Params } from "../../ports/database.ts";
import { statement } from "../statement.ts";

const insert = (table: string, columns: readonly string[]) =>
  statement<Params>(
    `insert into ${table} (${columns.join(", ")}) values (${columns.map((column) => `:${column}`).join(", ")})`,
  );

/** The columns a saved state is read back into, table by table, parents first. */
export const RESTORED = {
  plans: ["plan_path", "plan_hash", "format", "phase_title", "status", "created_at", "updated_at"],
  steps: [
    "plan_path",
    "anchor",
    "parent_anchor",
    "step_index",
    "title",
    "status",
    "last_event",
    "claimed_by",
    "last_worktree_id",
    "claim_seq",
    "started_at",
    "completed_at",
    "commit_hash",
    "complete_reason",
    "unmet_deps",
    "verification_attempts",
    "block_reason",
    "block_note",
    "reopen_reason",
    "content_hash",
    "commit_ref",
  ],
  step_deps: ["plan_path", "step_anchor", "depends_on"],
  checklist_items: ["plan_path", "step_anchor", "kind", "ordinal", "text", "status", "reason", "updated_at"],
  step_artifacts: ["plan_path", "step_anchor", "kind", "summary", "content", "claim", "recorded_at"],
  late_results: ["plan_path", "anchor", "claim", "worktree", "commit_hash", "held_ref", "recorded_at"],
  commit_intents: [
    "plan_path",
    "anchor",
    "claim",
    "worktree",
    "worktree_id",
    "parent",
    "message",
    "created_at",
    "commit_hash",
    "closed_at",
  ],
  plan_snapshots: ["plan_path", "plan_hash", "format", "content", "taken_at"],
} as const;

export const restorePlan = {
  plans: insert("plans", RESTORED.plans),
  steps: insert("steps", RESTORED.steps),
  step_deps: insert("step_deps", RESTORED.step_deps),
  checklist_items: insert("checklist_items", RESTORED.checklist_items),
  step_artifacts: insert("step_artifacts", RESTORED.step_artifacts),
  late_results: insert("late_results", RESTORED.late_results),
  commit_intents: insert("commit_intents", RESTORED.commit_intents),
  plan_snapshots: insert("plan_snapshots", RESTORED.plan_snapshots),
} as const;
