// The door of this room: other rooms import from here alone.
export { ACP_MARK } from "./acp-mark.ts";
export {
  type AgentEvent,
  type AgentTrouble,
  NO_USAGE,
  type TroubleKind,
  type Usage,
  addUsage,
  usedOfConversation,
} from "./agent-event.ts";
export { judgementIn } from "./agent-judgement.ts";
export { ONLY_WHAT_IS_COMMITTED } from "./agent-program.ts";
export { ARTIFACT_KINDS, cutSummary } from "./artifact.ts";
export {
  DEFAULT_LEASE_SECONDS,
  type LeaseClock,
  MAX_LEASE_SECONDS,
  type ClaimedWorktree,
  type RunningProcess,
  grantLease,
  isOwnerGone,
  isWorktreeMissing,
  leaseEnd,
  leaseIsOver,
  otherHost,
} from "./claim.ts";
export { closest } from "./closest.ts";
export { DEPENDENCY_FOLDERS } from "./dependency-folders.ts";
export { ERRORS, EXIT_CODES, type ErrorKind, type ErrorName, Failure, orNothing } from "./errors.ts";
export {
  type ExitFacts,
  type ExitOutcome,
  type ExitVerdict,
  PAUSES,
  type StopCause,
  isCutOff,
  verdictOfExit,
} from "./exit-verdict.ts";
export { saysMachine, scopeOf } from "./failure-scope.ts";
export { GUARANTEES } from "./guarantees.ts";
export { type Instant, fromInstant, toInstant } from "./instant.ts";
export { isOlder } from "./is-older.ts";
export { agentOption } from "./agent-option.ts";
export { freePlanName } from "./free-name.ts";
export { LANES, type Lane } from "./lane.ts";
export { LATE_LINES } from "./late-lines.ts";
export { type Ended, type Next, type Position, after, nextPosition } from "./next-position.ts";
export { isOneLine } from "./one-line.ts";
export { pauseAfter } from "./pause.ts";
export {
  isAtWork,
  type ProgressFacts,
  progressWords,
  reachableSteps,
  roughTime,
  standstillWords,
} from "./progress-words.ts";
export { DEFAULT_PROFILE, PERMISSION_PROFILES, type PermissionProfile } from "./permissions.ts";
export {
  BRANCH_PREFIX,
  LOCK_REASON,
  MOST_WORKERS,
  distinctSlug,
  isWorktreeName,
  planSlug,
  refName,
  workerNames,
  SPEC_BRANCH_PREFIX,
} from "./plan-branch.ts";
export { type GraphEdge, type GraphNode, criticalPath, cycleText, findCycles, layers } from "./plan-graph.ts";
export {
  type Dependency,
  type Diagnostic,
  type FoundStatus,
  doneElsewhere,
  IN_THE_FILE,
  IN_TUGSTATE,
  OPTIONAL,
  SUBSTEP_ON_HOLD,
  ITEM_KINDS,
  ITEM_STATUSES,
  type ItemKind,
  type ItemStatus,
  type LeftOut,
  MAX_PLAN_BYTES,
  type Plan,
  type PlanCheck,
  type PlanItem,
  type PlanStep,
  type Severity,
  type StepProgress,
  type StepVerification,
  bareAnchor,
  flatten,
  isOpenItem,
  withOrdinals,
} from "./plan.ts";
export { few, plural } from "./plural.ts";
export { type CutOff, canBeResumed, isResumable, supersededOf, unendedOf } from "./resumable.ts";
export { safeBlock, safeText } from "./safe-text.ts";
export {
  type OpenRun,
  SENTINEL_FILE,
  type Sentinel,
  readSentinel,
  whyFullScan,
  writeSentinel,
} from "./sentinel.ts";
export { resumeCommandLine, sessionName } from "./session-name.ts";
export {
  SETTINGS,
  type SettingName,
  type SettingType,
  type Settings,
  TABLES,
  type TableName,
} from "./settings.ts";
export { shellArgument, shellWord } from "./shell-word.ts";
export { shortNames, shortSessions } from "./short-names.ts";
export { type SignedStep, signedText } from "./signature.ts";
export {
  afterCommand,
  beforeRestoring,
  isOfLosses,
  isOfWork,
  whenAbandoned,
  whenInterrupted,
  whenStopped,
} from "./snapshot-reason.ts";
export { findSpecId } from "./spec-id.ts";
export {
  type Price,
  type Spent,
  type UsageSums,
  type UsageView,
  dollars,
  spentOf,
  usageView,
  addUsageViews,
  usageOfCommand,
  usageText,
} from "./spending.ts";
export { stateMovedFrom } from "./state-moved.ts";
export {
  HELD_STATUSES,
  STEP_STATUSES,
  STEP_TRANSITIONS,
  type StepEvent,
  type StepStatus,
  allMoves,
  canMove,
  isAgainstLanded,
  isHeld,
  nextStatus,
} from "./step-machine.ts";
export { type NewStep, type NewSubstep, readSubsteps } from "./substeps.ts";
export { TRAILER_FAMILIES, type TrailerFamily, familyOf, isStepTrailer } from "./trailer-families.ts";
export {
  BUILT_IN_WORKFLOWS,
  COMMAND_TYPES,
  type CommandType,
  DEFAULT_TIMEOUT_MS,
  type PromptName,
  type Work,
  type Workflow,
  type WorkflowCommand,
} from "./workflow.ts";
export { MAIN_ID, entryName, linkedId } from "./worktree-id.ts";
export { EXIT_CODE_TABLE } from "./exit-codes.ts";
export { NOTIFY_EVENTS, type NotifyEvent } from "./notify-event.ts";
export { fullStop } from "./full-stop.ts";
export { reasonWords } from "./reason-words.ts";
export { INTERRUPTED_BY, SESSION_WORDS, STOPPED_WORD } from "./session-words.ts";
