// The door of this room: other rooms import from here alone.
export { deadSessions, isDead } from "./dead-sessions.ts";
export { asEntered, enter } from "./enter.ts";
export {
  allSessions,
  isOfThisClone,
  sessionNamed,
  storeIdOf,
  supersededIn,
  supersededSessions,
  unendedSessions,
} from "./find-session.ts";
export { leaseClockAt, leaseClockOf } from "./moment.ts";
export {
  type InterruptionType,
  type OpenSession,
  type RunDetails,
  openSession,
  reopenSession,
} from "./open-session.ts";
export { type CheckpointView, type SessionDetail, type SessionView, showSession } from "./session-view.ts";
export { abandonSession } from "./sql/abandon-session.ts";
export { closeCheckpoint } from "./sql/close-checkpoint.ts";
export { countKilledStarts } from "./sql/count-killed-starts.ts";
export { deleteSession } from "./sql/delete-session.ts";
export { endSession } from "./sql/end-session.ts";
export { findCheckpoint } from "./sql/find-checkpoint.ts";
export { findSession, lockSession } from "./sql/find-session.ts";
export { lastCheckpoint } from "./sql/last-checkpoint.ts";
export { lastInWorktree } from "./sql/last-in-worktree.ts";
export { lastSessionOfWorktree } from "./sql/last-session-of-worktree.ts";
export { lastSessionOf } from "./sql/last-session-of.ts";
export { listCheckpointSnapshots } from "./sql/list-checkpoint-snapshots.ts";
export { listCheckpoints } from "./sql/list-checkpoints.ts";
export { type CommandHere, listCommandsHere } from "./sql/list-commands-here.ts";
export { listLastCheckpoints } from "./sql/list-last-checkpoints.ts";
export { listLastSessions } from "./sql/list-last-sessions.ts";
export { listLimitedAgents } from "./sql/list-limited-agents.ts";
export { listRunSessions } from "./sql/list-run-sessions.ts";
export { type SpanTimes, listRunSpans, listStepSpans } from "./sql/list-run-spans.ts";
export { listSessions } from "./sql/list-sessions.ts";
export { listSpans } from "./sql/list-spans.ts";
export { type StepCheckpointRow, listStepCheckpoints } from "./sql/list-step-checkpoints.ts";
export { markConversation } from "./sql/mark-conversation.ts";
export { markProcess } from "./sql/mark-process.ts";
export { moveSession } from "./sql/move-session.ts";
export { noteSnapshot } from "./sql/note-snapshot.ts";
export { noteUsage } from "./sql/note-usage.ts";
export { openCheckpoint } from "./sql/open-checkpoint.ts";
export {
  type StepUsageRow,
  sumPlansUsage,
  sumPlansUsageSince,
  sumPlanUsage,
  sumConversationUsage,
  sumRunUsage,
  sumStepUsage,
} from "./sql/sum-usage.ts";
export {
  type StoppedRunner,
  heldBySession,
  isStoppedRunner,
  stoppedOwner,
  stoppedText,
  stoppedWords,
} from "./stopped-runner.ts";
export { stillRunning, stopLeftOvers } from "./take-over.ts";

// Loaded when first called: a short process pays for what it uses.
export const loadEnter = () => import("./enter.ts");
export const loadFindSession = () => import("./find-session.ts");
export const loadOpenSession = () => import("./open-session.ts");
export const loadSessionView = () => import("./session-view.ts");
export const loadTakeOver = () => import("./take-over.ts");
