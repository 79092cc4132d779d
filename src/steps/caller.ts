import type { Worktree } from "../platform/ports/index.ts";
import type { StepRow } from "../platform/index.ts";

/** Who calls a verb. Everything but the worktree is optional, and each part that is given must be right. */
export interface Caller {
  readonly worktree: Worktree;
  /** The number of the claim, as `claim` gave it. */
  readonly claim?: number | undefined;
  /** The supervised session that the caller belongs to. */
  readonly session?: string | undefined;
}

/** Whether a step is held in a worktree. Rows written before worktrees had an id are matched by path. */
export const isOwn = (step: StepRow, { worktree }: Pick<Caller, "worktree">): boolean =>
  step.worktree_id === worktree.id || (step.worktree_id === null && step.claimed_by === worktree.path);

/** Which step of which plan. */
export interface StepAddress {
  /** The plan as the caller names it: a path. */
  readonly plan: string;
  /** The step's anchor, with or without `#`. */
  readonly step: string;
}
