import { sessionName } from "../../domain/index.ts";
import type { TakenOver } from "../../steps/index.ts";
import type { Paint } from "./paint.ts";

/** What a person should know who took a step from a stopped runner. */
export const tookOverLines = (taken: TakenOver | undefined, paint: Paint): readonly string[] =>
  taken === undefined
    ? []
    : [
        `  session ${sessionName(taken.sessionId)} (pid ${taken.pid}, stopped) is over; its agent was stopped, and it ends when it is continued`,
        taken.snapshotRef === null
          ? "  nothing in its worktree was uncommitted"
          : `  its uncommitted work is saved: ${paint.plain(`pawl snapshot show ${taken.snapshotRef}`)}`,
      ];
