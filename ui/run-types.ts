import type { Session } from "./types.ts";

/** What agents used; the cost is null where nothing has a price. */
export interface Usage {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cost_usd: number | null;
}

/** A run as a person started it, with its workers. */
export interface Run {
  readonly run_id: string;
  readonly kind: string | null;
  readonly plan_path: string | null;
  readonly agent: string | null;
  readonly workflow: string | null;
  readonly status: Session["status"];
  readonly started_at: string;
  readonly ended_at: string | null;
  readonly interruption_type: string | null;
  readonly paused_until: string | null;
  readonly resumable: boolean;
  readonly here: boolean;
  readonly resume_with: string | null;
  readonly steps_completed: number;
  readonly steps_blocked: number;
  readonly usage: Usage | null;
  readonly sessions: readonly Session[];
}

/** What there is to begin with. */
export interface Start {
  readonly unread: readonly string[];
  readonly checklists: readonly string[];
  readonly agents: readonly {
    readonly name: string;
    readonly is_here: boolean;
    readonly is_chosen: boolean;
  }[];
  readonly workflows: readonly string[];
}
