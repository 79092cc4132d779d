import type { CommandType, Instant, ItemKind, ItemStatus, StepEvent, StepStatus } from "../domain/index.ts";

export interface PlanRow {
  readonly plan_path: string;
  readonly plan_hash: string;
  readonly format: string;
  readonly phase_title: string | null;
  readonly status: "active" | "done";
  readonly created_at: Instant;
  readonly updated_at: Instant;
  /** The committed plan that was read last; null where none was. */
  readonly committed_hash: string | null;
}

export interface StepRow {
  readonly plan_path: string;
  readonly anchor: string;
  readonly parent_anchor: string | null;
  readonly step_index: number;
  readonly title: string;
  readonly status: StepStatus;
  readonly last_event: StepEvent | "saved";
  readonly claimed_by: string | null;
  readonly worktree_id: string | null;
  readonly last_worktree_id: string | null;
  readonly session_id: string | null;
  readonly claimed_host: string | null;
  readonly claim_seq: number;
  readonly claimed_at: Instant | null;
  readonly lease_expires_at: Instant | null;
  readonly lease_boot_id: string | null;
  readonly lease_uptime_ms: number | null;
  readonly heartbeat_at: Instant | null;
  readonly started_at: Instant | null;
  readonly completed_at: Instant | null;
  readonly commit_hash: string | null;
  readonly complete_reason: string | null;
  readonly unmet_deps: number;
  readonly verification_attempts: number;
  readonly block_reason: string | null;
  readonly block_note: string | null;
  readonly reopen_reason: string | null;
  readonly content_hash: string | null;
  /** The remote branch that held the commit when the step was completed. */
  readonly commit_ref: string | null;
  /** The text of the plan that the step keeps, where the plan says something else by now. */
  readonly bound_to: string | null;
  /** The name that such a step has in the text of the plan that was read last; null where that text does not have it. */
  readonly stands_as: string | null;
  /** 1 when the session that holds the step, or held it last, is over. */
  readonly session_over: number | null;
}

export interface ItemRow {
  readonly id: number;
  readonly step_anchor: string;
  readonly kind: ItemKind;
  /** Counts from 0 within its kind; people see it from 1. */
  readonly ordinal: number;
  readonly text: string;
  readonly status: ItemStatus;
  readonly reason: string | null;
  readonly updated_at: Instant | null;
}

export interface ArtifactRow {
  readonly id: number;
  readonly step_anchor: string;
  readonly kind: string;
  readonly summary: string;
  readonly content: string | null;
  readonly claim: number | null;
  readonly recorded_at: Instant;
}

export interface DependencyRow {
  readonly step_anchor: string;
  readonly depends_on: string;
}

export interface EventRow {
  readonly id: number;
  readonly at: Instant;
  readonly plan_path: string | null;
  readonly anchor: string | null;
  readonly event: string;
  readonly claim: number | null;
  readonly worktree: string | null;
  readonly session_id: string | null;
  readonly detail: string;
}

export interface SessionRow {
  readonly id: string;
  readonly plan_path: string | null;
  readonly worktree: string;
  readonly worktree_id: string;
  readonly pid: number;
  readonly process_started_at: string;
  readonly boot_id: string;
  readonly host_id: string;
  readonly status: "in_progress" | "completed" | "failed" | "interrupted" | "abandoned";
  readonly started_at: Instant;
  readonly ended_at: Instant | null;
  readonly interrupted_at: Instant | null;
  readonly interruption_type: string | null;
  readonly resumable: number;
  /** The sessions of one `pawl run`, one for each worker, share it. Null for sessions that no run made. */
  readonly run_id: string | null;
  readonly kind: "run" | "improve" | "verify" | "plan" | null;
  readonly workflow: string | null;
  readonly agent: string | null;
  readonly branch: string | null;
  readonly base: string | null;
  readonly iteration: number | null;
  readonly position: number | null;
  readonly spec_id: string | null;
  readonly focus: string | null;
  /** JSON: what the person asked for, so that a resumed session does the same. */
  readonly configuration: string | null;
  readonly paused_until: Instant | null;
  readonly log_folder: string | null;
  readonly snapshot_ref: string | null;
}

/** Where a session is. Without an end its command was running at the last check. */
export interface CheckpointRow {
  readonly session_id: string;
  readonly number: number;
  readonly plan_path: string | null;
  readonly anchor: string | null;
  readonly claim: number | null;
  readonly iteration: number;
  readonly position: number;
  readonly command: string;
  readonly type: CommandType;
  readonly agent: string | null;
  /** The agent's own name for the conversation. */
  readonly agent_session: string | null;
  readonly spec_id: string | null;
  readonly head_before: string | null;
  readonly tree_before: string | null;
  /** JSON: enough to find the command again after its runner died. */
  readonly process: string | null;
  readonly log: string | null;
  readonly started_at: Instant;
  readonly exit_code: number | null;
  readonly outcome: string | null;
  readonly output_tail: string | null;
  /** JSON: a list of paths. */
  readonly files_modified: string | null;
  readonly snapshot_ref: string | null;
  readonly spec_found: string | null;
  readonly tree_after: string | null;
  readonly ended_at: Instant | null;
  /** What a verification checked; null for everything else. */
  readonly checked: string | null;
  /** When the limit ends that its agent ran into, as far as known; null for every other end. */
  readonly resets_at: Instant | null;
}

export interface VerdictRow {
  readonly plan_path: string;
  readonly anchor: string;
  readonly attempt: number;
  readonly claim: number | null;
  readonly session_id: string | null;
  readonly outcome: "passed" | "failed" | "timed_out";
  readonly because: string;
  /** JSON: what was checked, one entry each. */
  readonly evidence: string;
  readonly tree: string | null;
  readonly recorded_at: Instant;
}

export interface LateResultRow {
  readonly id: number;
  readonly anchor: string;
  readonly claim: number | null;
  readonly worktree: string;
  readonly commit_hash: string | null;
  readonly held_ref: string | null;
  readonly recorded_at: Instant;
}

/** What a worker was about to commit. `closed_at` is set once the state knows how it ended. */
export interface IntentRow {
  readonly plan_path: string;
  readonly anchor: string;
  readonly claim: number;
  readonly worktree: string;
  readonly worktree_id: string;
  /** What was checked out before; null on a branch without commits. */
  readonly parent: string | null;
  readonly message: string;
  readonly created_at: Instant;
  readonly commit_hash: string | null;
  readonly closed_at: Instant | null;
  /** The branch that its landing moves, from where to where; null until then, and where no other branch moves. */
  readonly branch: string | null;
  readonly branch_from: string | null;
  readonly branch_to: string | null;
  /** Why a person has it committed without checks; empty where no check decides; null where its files must have passed. */
  readonly unverified: string | null;
}

/** A step's place in the train of its branch, and the commit that it landed as. */
export interface LandingRow {
  readonly plan_path: string;
  readonly anchor: string;
  readonly claim: number;
  /** The lowest lands first. */
  readonly number: number;
  readonly branch: string;
  /** The clone that the branch is in. */
  readonly clone: string;
  readonly session_id: string | null;
  /** The commit that its tree was built on; null until it is. */
  readonly base: string | null;
  readonly base_tree: string | null;
  readonly tree: string | null;
  readonly joined_at: Instant;
  readonly landed_commit: string | null;
  readonly landed_at: Instant | null;
}

/** What checks said about a tree. */
export interface TreeVerdictRow {
  readonly tree: string;
  /** What was checked, as `checksKey` writes it. */
  readonly checks: string;
  readonly place: "clean" | "in-place";
  readonly worktree_id: string | null;
  /** What it was made for: `step`, `merge`, `sync`, `full` … */
  readonly kind: string;
  readonly plan_path: string | null;
  readonly anchor: string | null;
  readonly claim: number | null;
  readonly session_id: string | null;
  readonly outcome: "passed" | "failed" | "timed_out";
  readonly because: string;
  /** JSON, as in `VerdictRow`. */
  readonly evidence: string;
  readonly recorded_at: Instant;
}

export interface SnapshotRow {
  readonly plan_hash: string;
  readonly format: string;
  readonly content: string;
  readonly taken_at: Instant;
}
