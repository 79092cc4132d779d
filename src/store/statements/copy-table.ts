import type { Params } from "../../ports/database.ts";
import { statement } from "../statement.ts";

/** Everything a database holds, table by table, parents first; what the database numbers by itself is left to it. */
export const COPIED = {
  plans: ["plan_path", "plan_hash", "format", "phase_title", "status", "created_at", "updated_at"],
  steps: [
    "plan_path",
    "anchor",
    "parent_anchor",
    "step_index",
    "title",
    "status",
    "claimed_by",
    "claimed_at",
    "lease_expires_at",
    "heartbeat_at",
    "started_at",
    "completed_at",
    "commit_hash",
    "complete_reason",
    "last_event",
    "claim_seq",
    "worktree_id",
    "last_worktree_id",
    "session_id",
    "claimed_host",
    "lease_boot_id",
    "lease_uptime_ms",
    "unmet_deps",
    "verification_attempts",
    "block_reason",
    "block_note",
    "reopen_reason",
    "content_hash",
    "commit_ref",
  ],
  step_deps: ["plan_path", "step_anchor", "depends_on"],
  checklist_items: ["plan_path", "step_anchor", "kind", "ordinal", "text", "status", "updated_at", "reason"],
  step_artifacts: ["plan_path", "step_anchor", "kind", "summary", "recorded_at", "content", "claim"],
  plan_snapshots: ["plan_path", "plan_hash", "format", "content", "taken_at"],
  sessions: [
    "id",
    "plan_path",
    "worktree",
    "worktree_id",
    "pid",
    "process_started_at",
    "boot_id",
    "host_id",
    "status",
    "started_at",
    "ended_at",
    "interrupted_at",
    "interruption_type",
    "resumable",
  ],
  events: ["at", "plan_path", "anchor", "event", "claim", "worktree", "session_id", "detail"],
  requests: ["request_id", "verb", "subject", "answer", "answered_at"],
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
} as const;

export type CopiedTable = keyof typeof COPIED;

export const COPIED_TABLES = Object.keys(COPIED) as readonly CopiedTable[];

/** The order rows are read in: the one they were written in where that tells something, else by key. */
const ORDER: Readonly<Record<CopiedTable, string>> = {
  plans: "plan_path",
  steps: "plan_path, case when parent_anchor is null then 0 else 1 end, step_index, anchor",
  step_deps: "plan_path, step_anchor, depends_on",
  checklist_items: "id",
  step_artifacts: "id",
  plan_snapshots: "plan_path, plan_hash",
  sessions: "id",
  events: "id",
  requests: "request_id",
  late_results: "id",
  commit_intents: "plan_path, anchor, claim",
};

export const readTable = (table: CopiedTable) =>
  statement<Params, Params>(`select ${COPIED[table].join(", ")} from ${table} order by ${ORDER[table]}`);

export const writeRow = (table: CopiedTable) => {
  const columns: readonly string[] = COPIED[table];
  return statement<Params>(
    `insert into ${table} (${columns.join(", ")}) values (${columns.map((column) => `:${column}`).join(", ")})`,
  );
};
