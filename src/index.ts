import { compose, type Env } from "./compose.ts";
import { Failure } from "./domain/index.ts";
import { type Pawl, pawlFor } from "./api.ts";

export { Failure, ERRORS, EXIT_CODES, type ErrorKind, type ErrorName } from "./domain/index.ts";
export type { Plan, PlanItem, PlanStep, Diagnostic, ItemKind, ItemStatus } from "./domain/index.ts";
export type { StepEvent, StepStatus } from "./domain/index.ts";
export type { ClaimAnswer } from "./claims/index.ts";
export type { CommitAnswer } from "./commits/index.ts";
export type { VerifiedCommit } from "./runs/index.ts";
export type { CompleteAnswer } from "./steps/index.ts";
export type { EventView } from "./journal/index.ts";
export type { ExplainAnswer, Explanation } from "./views/index.ts";
export type { IntentReport } from "./commits/index.ts";
export type { OpenSession } from "./sessions/index.ts";
export type { PlanView, StepView, ItemView } from "./steps/index.ts";
export type { ReadyAnswer } from "./claims/index.ts";
export type { Proposal, ReconcileAnswer } from "./commits/index.ts";
export type { RecoverAnswer, Repaired } from "./recovery/index.ts";
export type { FindingView } from "./recovery/index.ts";
export type { ItemChange } from "./steps/index.ts";
export type { Waiting } from "./claims/index.ts";
export type { RunEvent } from "./runs/index.ts";
export type { RunAnswer } from "./runs/index.ts";
export type { RunRequest } from "./runs/index.ts";
export type { SessionDetail, SessionView } from "./sessions/index.ts";
export type { VerifyAnswer } from "./runs/index.ts";
export type { Saved } from "./worktrees/index.ts";
export type { CleanAnswer as WorktreeCleanAnswer } from "./worktrees/index.ts";
export type { CreateAnswer as WorktreeCreateAnswer } from "./worktrees/index.ts";
export type { WorktreeView } from "./worktrees/index.ts";
export type { MergeAnswer as WorktreeMergeAnswer } from "./worktrees/index.ts";
export type { RemoveAnswer as WorktreeRemoveAnswer } from "./worktrees/index.ts";
export type { Pawl, Who, WorkerCall } from "./api.ts";
export type { Snapshot, SnapshotChange } from "./platform/ports/index.ts";

export interface OpenOptions {
  /** A folder inside the repository; the current one unless said otherwise. */
  readonly cwd?: string;
  /** Where `PAWL_STATE_DIR` and the like are looked up; the process's own unless said otherwise. */
  readonly env?: Env;
}

/** Opens Pawl for the repository around a folder. The database opens with the first verb. */
export async function openPawl({ cwd = process.cwd(), env = process.env }: OpenOptions = {}): Promise<Pawl> {
  return closable(pawlFor(await compose({ cwd, env })));
}

/** A verb that is called after the end gets an answer in words, not what the database driver has to say. */
function closable(pawl: Pawl): Pawl {
  let isClosed = false;
  const guarded = Object.entries(pawl).map(([name, verb]: [string, unknown]) => [
    name,
    typeof verb !== "function"
      ? verb
      : async (...args: readonly unknown[]): Promise<unknown> => {
          if (isClosed && name === "close") return undefined;
          if (isClosed)
            throw new Failure("library/closed", `${name} was called after close.`, { verb: name });
          isClosed = name === "close";
          return (verb as (...given: readonly unknown[]) => unknown).apply(pawl, [...args]);
        },
  ]);
  return Object.fromEntries(guarded) as Pawl;
}
