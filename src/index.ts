import { compose, type Env } from "./compose.ts";
import { Failure } from "./domain/errors.ts";
import { type Pawl, pawlFor } from "./api.ts";

export { Failure, ERRORS, EXIT_CODES, type ErrorKind, type ErrorName } from "./domain/errors.ts";
export type { Plan, PlanItem, PlanStep, Diagnostic, ItemKind, ItemStatus } from "./domain/plan.ts";
export type { StepEvent, StepStatus } from "./domain/step-machine.ts";
export type { ClaimAnswer } from "./claims/claim.ts";
export type { CommitAnswer } from "./commits/commit.ts";
export type { VerifiedCommit } from "./runs/commit-verified.ts";
export type { CompleteAnswer } from "./steps/complete.ts";
export type { EventView } from "./journal/events.ts";
export type { ExplainAnswer, Explanation } from "./views/explain.ts";
export type { IntentReport } from "./commits/finish-intents.ts";
export type { OpenSession } from "./sessions/open-session.ts";
export type { PlanView, StepView, ItemView } from "./steps/plan-view.ts";
export type { ReadyAnswer } from "./claims/ready.ts";
export type { Proposal, ReconcileAnswer } from "./commits/reconcile/reconcile.ts";
export type { RecoverAnswer, Repaired } from "./recovery/recover.ts";
export type { FindingView } from "./recovery/subject.ts";
export type { ItemChange } from "./steps/update.ts";
export type { Waiting } from "./claims/why-nothing.ts";
export type { RunEvent } from "./runs/work/run-event.ts";
export type { RunAnswer } from "./runs/finish/run-answer.ts";
export type { RunRequest } from "./runs/run.ts";
export type { SessionDetail, SessionView } from "./sessions/session-view.ts";
export type { VerifyAnswer } from "./runs/verify-now.ts";
export type { Saved } from "./worktrees/saved.ts";
export type { CleanAnswer as WorktreeCleanAnswer } from "./worktrees/worktree-clean.ts";
export type { CreateAnswer as WorktreeCreateAnswer } from "./worktrees/create/worktree-create.ts";
export type { WorktreeView } from "./worktrees/worktree-list.ts";
export type { MergeAnswer as WorktreeMergeAnswer } from "./worktrees/merge/worktree-merge.ts";
export type { RemoveAnswer as WorktreeRemoveAnswer } from "./worktrees/worktree-remove.ts";
export type { Pawl, Who, WorkerCall } from "./api.ts";
export type { Snapshot, SnapshotChange } from "./platform/ports/snapshots.ts";

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
