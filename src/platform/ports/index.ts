// The door of this room: other rooms import from here alone.
export type {
  BranchMark,
  BranchMerge,
  Branches,
  DiffStat,
  Divergence,
  KeptRef,
  Landing,
  MergePreview,
  MergedTree,
  PlanBranch,
  StepOnBranch,
  BranchPush,
  PushOutcome,
  LandedCommit,
  TreeFile,
} from "./branches.ts";
export type { Clock, Machine } from "./clock.ts";
export type { CommandEnd, CommandOptions, Commands } from "./commands.ts";
export type {
  Beside,
  CheckedOutCommit,
  Checkout,
  CommitNote,
  Commits,
  MadeCommit,
  Paths,
  Recent,
  Stash,
  Trailer,
  Unstage,
} from "./commits.ts";
export type { Damage, DamagedBranch, DamagedObject, MovedBack, SetAside } from "./damage.ts";
export {
  type Beginning,
  type Database,
  NOW,
  type Params,
  type ServerMovedMarker,
  type Sql,
  type Statement,
  type StoreFacts,
  type Value,
} from "./database.ts";
export type { Files, FolderEntry } from "./files.ts";
export type { Containment, Sandbox, SandboxTools } from "./sandbox.ts";
export type {
  CommitRange,
  CommittedFile,
  CommitText,
  Git,
  TrailerDoubt,
  TrailerEntry,
  TrailerQuery,
} from "./git.ts";
export type { ClaimToKeep, Heartbeat, Heartbeats, Lost, RenewLease } from "./heartbeats.ts";
export { type Interruption, NEVER, type StopSignal } from "./interruption.ts";
export type { LeftFolder, Leftovers } from "./leftovers.ts";
export type { Lifeline, Lifelines } from "./lifelines.ts";
export type { Locks } from "./locks.ts";
export type {
  FileStamp,
  FolderFile,
  PlanContent,
  PlanFiles,
  PlanFolder,
  PlanLocation,
} from "./plan-files.ts";
export type { MovedMarker, OpenStoreOptions, Ports, StoreKind } from "./ports.ts";
export type { ProcessEntry, ProcessTable, ProcessSignal } from "./process-table.ts";
export type { Post, PostMessage, PostProblem } from "./post.ts";
export type { Ancestor, ProcessIdentity, Processes } from "./processes.ts";
export type { Repository, Worktree } from "./repository.ts";
export type { HostedCheck, HostedRequest, Requests } from "./requests.ts";
export type { AgentSituation, Running } from "./running.ts";
export type { SignedWork, Signer } from "./signer.ts";
export type { KnownTree, Snapshot, SnapshotChange, Snapshots } from "./snapshots.ts";
export {
  type CommandReport,
  type CommandRequest,
  type Exit,
  type LogSummary,
  type OutputReader,
  PROMPT_FILE,
  type ProcessRecord,
  type RunningCommand,
  type Stopped,
  type SupervisedEnd,
  type Supervisor,
  logParts,
} from "./supervisor.ts";
export type { ReadTugstate, TugstatePlan, TugstateStep } from "./tugstate.ts";
export type {
  AddRequest,
  AddedWorktree,
  Changes,
  CheckedOut,
  FileList,
  FileListEntry,
  FileListFolder,
  Forward,
  IncludedFiles,
  ListedWorktree,
  LoneCommit,
  UnlistedFolder,
  Wanted,
  Worktrees,
} from "./worktrees.ts";
