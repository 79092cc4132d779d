import type { FoundStatus, StepStatus } from "../../domain/index.ts";
import type { StepState } from "./plan-format.ts";

/** What each status of a step is in a file. A claimed step has not begun. */
const IN_FILES: Readonly<Record<StepStatus, FoundStatus>> = {
  pending: "pending",
  claimed: "pending",
  in_progress: "in_progress",
  awaiting_verification: "awaiting_verification",
  completed: "completed",
  blocked: "blocked",
  on_hold: "on_hold",
};

export interface Showing {
  /** The status the file should show for one that the format has no word for. */
  readonly instead?: Partial<Record<FoundStatus, FoundStatus>>;
  /** Whether work that no worker holds goes back to pending in the file at once, or waits for a person to decide. */
  readonly resetsAbandoned: boolean;
}

/** For formats that say pending, in progress and completed, and nothing else. */
export const THREE_STATUSES: Showing = {
  instead: {
    awaiting_verification: "in_progress",
    blocked: "pending",
    failed: "pending",
    on_hold: "pending",
  },
  resetsAbandoned: false,
};

/**
 * What a file should say about a step, or undefined when it may stay as it is.
 *
 * The store is the truth, with two exceptions that keep what people wrote. A file that says completed is only
 * contradicted when a person reopened the step. And a step that is untouched since it was read keeps its words,
 * except that work which no worker holds is not in progress.
 */
export function shownStatus(
  state: StepState,
  found: FoundStatus,
  { instead = {}, resetsAbandoned }: Showing,
): FoundStatus | undefined {
  const inWords = (status: FoundStatus) => instead[status] ?? status;
  const wanted = inWords(inFile(state));
  if (inWords(found) === wanted) return undefined;
  if (found === "completed" && !state.isReopened) return undefined;
  if (state.isUntouched && !(found === "in_progress" && resetsAbandoned)) return undefined;
  return wanted;
}

/** Why a step is blocked that waits for something unreadable: its own file knows nothing of that. */
export const DEPENDENCY_UNREAD = "dependency_unread";

function inFile({ status, blockReason }: StepState): FoundStatus {
  if (status === "blocked" && blockReason === "failed") return "failed";
  return status === "blocked" && blockReason === DEPENDENCY_UNREAD ? "pending" : IN_FILES[status];
}

/** A status by any of its names, without regard to case, blanks, dashes and underscores. */
export function statusNamed<T>(names: ReadonlyMap<string, T>, text: string): T | undefined {
  return (
    names.get(text) ??
    names.get(
      text
        .trim()
        .toLowerCase()
        .replace(/[\s_-]+/g, " "),
    )
  );
}
