import type { Lane } from "../src/domain/lane.ts";
import type { ProgressFacts } from "../src/domain/progress-words.ts";
import type { StepStatus } from "../src/domain/step-machine.ts";
import type { Run, Usage } from "./run-types.ts";
import type { Job as ServerJob, MatterCard, Preview as ServerPreview, Wire } from "../src/web/wire.ts";

export type { Lane, StepStatus };
export type { Run, Start, Usage } from "./run-types.ts";

/** What the server answers, as it comes: snake_case, as `--json` prints it. docs/ui.md lists the calls. */
export interface PlanOverview {
  readonly plan_path: string;
  readonly phase_title: string | null;
  readonly status: "active" | "done";
  readonly steps_total: number;
  readonly steps_completed: number;
  readonly steps_interrupted: number;
  readonly steps_blocked: number;
  readonly lanes: Readonly<Record<Lane, number>>;
  readonly file_missing: boolean;
  readonly usage: Usage | null;
  readonly updated_at: string;
}

export type PlanProgress = Wire<ProgressFacts & { readonly planPath: string }>;

export type Finding = Wire<MatterCard>;

export interface Findings {
  readonly findings: readonly Finding[];
  readonly counts: Readonly<Record<Finding["weight"], number>>;
}

export interface Job extends Omit<Wire<ServerJob>, "answer"> {
  readonly answer: {
    readonly issues?: readonly Issue[];
    readonly data?: {
      readonly because?: string;
      readonly repaired?: readonly { readonly outcome: string; readonly done: boolean }[];
    };
  } | null;
}

export interface Issue {
  readonly code: string;
  readonly name: string;
  readonly message: string;
  readonly hint: string;
}

export interface Overview {
  readonly repository: string;
  readonly root: string | null;
  readonly plans: readonly PlanOverview[];
  readonly unread: readonly string[];
  readonly agent: string | null;
  readonly editor: string | null;
  readonly sessions: readonly Session[];
  /** Those that run, those to resume, and those that ended last. */
  readonly runs: readonly Run[];
  readonly progress: readonly PlanProgress[];
  readonly train: readonly TrainPlace[];
  readonly not_verified: readonly { readonly plan_path: string; readonly steps: number }[];
  readonly jobs: readonly Job[];
  readonly read_only: boolean;
  readonly version: string;
}

/** How a completed step was verified. */
export interface Verification {
  readonly outcome: "passed" | "not_verified" | "unverified";
  readonly checks: readonly string[];
  readonly where: "clean" | "in-place" | null;
  readonly tree: string | null;
  readonly commit: string | null;
  readonly because: string | null;
}

/** A step that waits to land. */
export interface TrainPlace {
  readonly plan_path: string;
  readonly branch: string;
  readonly anchor: string;
  readonly title: string;
  readonly position: number | null;
  readonly behind: string | null;
  readonly state: "verifying" | "verified" | "failed";
  readonly since: string;
  readonly worktree: string | null;
  readonly session_id: string | null;
}

export interface StepLine {
  readonly anchor: string;
  readonly title: string;
  readonly step_index: number;
  readonly parent_anchor: string | null;
  readonly status: StepStatus;
  readonly lane: Lane;
  readonly claim: number;
  readonly claimed_by: string | null;
  readonly session_id: string | null;
  readonly lease_expires_at: string | null;
  readonly interrupted_at: string | null;
  readonly started_at: string | null;
  readonly completed_at: string | null;
  readonly attempts: number;
  readonly block_reason: string | null;
  readonly block_note: string | null;
  readonly forced: boolean;
  readonly verification: Verification | null;
  readonly items_total: number;
  readonly items_completed: number;
  readonly items_deferred: number;
  readonly depends_on?: readonly string[];
}

export interface StepsPage {
  readonly plan_path: string;
  readonly phase_title: string | null;
  readonly plan_hash: string;
  readonly steps: readonly StepLine[];
  readonly next: number | null;
}

export interface Neighbour {
  readonly anchor: string;
  readonly title: string;
  readonly status: StepStatus;
}

export interface Evidence {
  readonly checked: string;
  readonly outcome: string;
  readonly exit_code: number | null;
  readonly duration_ms: number;
  readonly output: string;
  readonly tree: string;
  readonly at: string;
  readonly where?: "clean" | "in-place" | undefined;
  readonly beside?: readonly string[] | undefined;
}

export interface StepPage {
  readonly plan_path: string;
  readonly anchor: string;
  readonly usage: Usage | null;
  readonly commit_hash: string | null;
  readonly complete_reason: string | null;
  readonly text: string | null;
  readonly waits_for: readonly Neighbour[];
  readonly waited_for_by: readonly Neighbour[];
  readonly attempts: readonly {
    readonly number: number;
    readonly started_at: string;
    readonly session_id: string | null;
    readonly outcome: string | null;
    readonly because: string | null;
    readonly evidence: readonly Evidence[];
  }[];
  readonly commands: readonly Command[];
  readonly snapshots: readonly {
    readonly ref: string;
    readonly at: string | null;
    readonly session_id: string;
    readonly number: number;
  }[];
  readonly late_results: readonly {
    readonly claim: number | null;
    readonly worktree: string;
    readonly commit: string | null;
    readonly ref: string | null;
    readonly at: string;
  }[];
  readonly events: readonly JournalEvent[];
  readonly step: StepLine;
  readonly items: readonly {
    readonly anchor: string;
    readonly kind: string;
    readonly ordinal: number;
    readonly text: string;
    readonly status: string;
  }[];
  readonly artifacts: readonly {
    readonly artifact_id: number;
    readonly kind: string;
    readonly summary: string;
    readonly content: string | null;
    readonly recorded_at: string;
  }[];
  readonly explanation: {
    readonly because: string;
    readonly evidence: readonly { readonly at: string | null; readonly fact: string }[];
    readonly next: string;
    readonly said: readonly string[];
  };
  readonly choices: readonly string[];
}

export interface Command {
  readonly session_id?: string;
  readonly number: number;
  readonly anchor?: string | null;
  readonly command: string;
  readonly type: string;
  readonly started_at: string;
  readonly ended_at: string | null;
  readonly cut_off_at?: string | null;
  readonly outcome: string | null;
  readonly exit_code?: number | null;
  readonly files_modified?: readonly string[];
  readonly agent?: string | null;
}

export interface Session {
  readonly id: string;
  readonly run_id: string | null;
  readonly kind: string | null;
  readonly plan_path: string | null;
  readonly status: "in_progress" | "completed" | "failed" | "interrupted" | "abandoned";
  readonly workflow: string | null;
  readonly agent: string | null;
  readonly worktree: string;
  readonly branch: string | null;
  readonly host: string;
  readonly pid: number;
  readonly started_at: string;
  readonly ended_at: string | null;
  readonly interrupted_at: string | null;
  readonly interruption_type: string | null;
  readonly resumable: boolean;
  /** Whether it worked in this clone; what worked elsewhere is resumed there. */
  readonly here: boolean;
  /** In words, with how to continue it or take its step over, where its process is stopped. */
  readonly stopped: string | null;
  readonly paused_until: string | null;
  readonly snapshot_ref: string | null;
  readonly usage: Usage | null;
  readonly at: Command | null;
}

export interface SessionPage {
  readonly session: Session & { readonly checkpoints: readonly Command[] };
  readonly choices: readonly string[];
}

export interface Worktree {
  readonly worktree_path: string;
  readonly branch_name: string | null;
  readonly head: string | null;
  readonly is_main: boolean;
  readonly managed: boolean;
  readonly plan_path: string | null;
  readonly base_branch: string | null;
  readonly ahead: number | null;
  readonly behind: number | null;
  readonly dirty_files: number | null;
  readonly state: "free" | "held" | "running" | "interrupted";
  readonly session: { readonly id: string; readonly status: string } | null;
  readonly missing: boolean;
  readonly problem: string | null;
  readonly last_activity_at: string | null;
  readonly size_bytes: number | null;
}

export interface JournalEvent {
  readonly id: number;
  readonly at: string;
  readonly plan_path: string | null;
  readonly anchor: string | null;
  readonly event: string;
  readonly claim: number | null;
  readonly worktree: string | null;
  readonly session_id: string | null;
  readonly detail: Readonly<Record<string, unknown>>;
}

export interface Check {
  readonly name: string;
  readonly status: "pass" | "warn" | "fail";
  readonly message: string;
  readonly details: { readonly problems?: readonly string[] };
}

export interface Lifeline {
  readonly session_id: string;
  readonly run_id: string | null;
  readonly plan_path: string | null;
  readonly agent: string | null;
  readonly worktree: string;
  readonly status: Session["status"];
  /** Its process is stopped, as by Ctrl-Z. */
  readonly is_stopped: boolean;
  readonly started_at: string;
  readonly ended_at: string | null;
  readonly spans: readonly Command[];
  readonly landings: readonly {
    readonly anchor: string;
    readonly branch: string;
    readonly joined_at: string;
    readonly landed_at: string | null;
    readonly commit: string | null;
  }[];
}

export interface Preview extends Wire<ServerPreview> {
  readonly action: string;
}

/** What an action is about. */
export interface Subject {
  readonly plan?: string | null;
  readonly step?: string | null;
  readonly session?: string | null;
  readonly worktree?: string | null;
  readonly rule?: string;
  readonly subject?: string;
  readonly key?: string;
}
