import { Failure } from "../../../domain/index.ts";
import { type BytePath, shown } from "../files/byte-path.ts";
import { heldLockFailure, lockComplaint } from "../locks/lock-failure.ts";
import { CannotMove, ChangedMeanwhile, HalfUndone } from "./change-files.ts";
import type { CheckoutPaths } from "./checkout-paths.ts";

/** What failed between the two words that git waits for; git itself says only that it was cut off. */
export const causeOf = (error: unknown): unknown =>
  error instanceof Failure && error.cause instanceof Error ? error.cause : error;

/** What went wrong among the renames, by the files it is about. */
export function renameFailure(top: string, error: unknown): unknown {
  const cause = causeOf(error);
  if (cause instanceof ChangedMeanwhile) return obstacleFailure(top, [cause.path]);
  if (cause instanceof CannotMove)
    return new Failure(
      "merge/refused",
      `${cause.message}, in ${top}.`,
      { worktree_path: top, files: [shown(cause.path)] },
      { cause },
    );
  return cause instanceof HalfUndone ? cause : error;
}

export const obstacleFailure = (top: string, paths: readonly BytePath[]): Failure => {
  const files = paths.map(shown);
  return new Failure(
    "merge/in-the-way",
    `The merge would write over uncommitted changes in ${top}: ${files.join(", ")}.`,
    { worktree_path: top, files },
  );
};

/** Everything is as it was before. */
export const mergeRefusal = (error: unknown): unknown => {
  const lock = lockComplaint(error);
  if (lock !== undefined) return heldLockFailure(lock, error);
  return error instanceof Failure && error.problem === "git/failed"
    ? new Failure("merge/refused", `Nothing was merged: ${error.message}`, error.details, { cause: error })
    : error;
};

/** Something is left that only a later call can bring to its end. */
export function unfinishedFailure({ top }: CheckoutPaths, cause: unknown): Failure {
  if (cause instanceof Failure && cause.problem === "merge/taken-back") return cause;
  const why = cause instanceof Error ? cause.message : String(cause);
  return new Failure(
    "merge/unfinished",
    `A merge into ${top} was interrupted and cannot be finished yet: ${why}`,
    { worktree_path: top, ...(cause instanceof Failure ? cause.details : {}) },
    { cause },
  );
}

/** What it says cannot be made up for: only that says which file is which. */
export const unreadableFailure = ({ top, folder }: CheckoutPaths): Failure =>
  new Failure("merge/unreadable", `A merge into ${top} was interrupted, and ${folder} cannot be read.`, {
    worktree_path: top,
    folder,
  });
