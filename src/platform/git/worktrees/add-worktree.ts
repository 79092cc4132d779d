import { existsSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "../../../domain/index.ts";
import type { AddedWorktree, AddRequest } from "../../ports/index.ts";
import { readIndex } from "../index-file/copy-index.ts";
import { treeOfIndex } from "../index-file/tree-of-index.ts";
import { looseCommit } from "../objects/loose-commit.ts";
import { checkedOutCommit } from "../refs/checked-out-ref.ts";
import { objectFormatOf } from "../snapshots/conversion-settings.ts";
import type { RunGit } from "../process/run-git.ts";
import { hasAllFiles } from "./has-all-files.ts";
import { LONG_CALL_MS } from "../process/long-call.ts";
import { entryOf, newestTime } from "./worktree-entry.ts";

/**
 * Adds a worktree by git, locked in the same call: a prune that runs beside it never finds it unlocked.
 *
 * Git undoes a failed add by itself, unless it is killed. A hook of the user's runs after everything else, and its
 * failure undoes nothing: then the worktree is there with all its files, and the failure is reported.
 */
export async function addWorktree(
  run: RunGit,
  { path, branch, commit, isNewBranch, lockReason }: AddRequest,
  commonDir: string,
): Promise<AddedWorktree> {
  const what = isNewBranch ? ["--no-track", "-b", branch, path, commit] : [path, branch];
  let failure: unknown;
  try {
    await run({
      args: ["worktree", "add", "--quiet", "--lock", "--reason", lockReason, ...what],
      access: "write",
      isSilent: true,
      timeoutMs: LONG_CALL_MS,
    });
  } catch (error) {
    failure = error;
  }
  const entry = entryOf(commonDir, path);
  if (entry === undefined)
    throw failure ?? new Failure("git/failed", `git made no worktree at ${path}.`, { path });
  if (!(await isCheckedOut(run, { path, gitDir: entry.gitDir, commonDir, commit })))
    throw failure ?? notCheckedOut(path, branch);
  return {
    hookFailure: failure instanceof Error ? failure.message : undefined,
    worktree: {
      path,
      id: entry.id,
      isMain: false,
      isBare: false,
      branch,
      head: commit,
      lock: lockReason,
      isMissing: false,
      prunable: undefined,
      isReady: false,
      operation: undefined,
      createdAt: newestTime(entry.gitDir, ["commondir"]),
      touchedAt: newestTime(entry.gitDir, ["HEAD"]),
    },
  };
}

interface AddedCheckout {
  readonly path: string;
  readonly gitDir: string;
  readonly commonDir: string;
  readonly commit: string;
}

/** Git's own success proves nothing: see `hasAllFiles`. Reading its files saves a process; git is asked where they differ. */
async function isCheckedOut(
  run: RunGit,
  { path, gitDir, commonDir, commit }: AddedCheckout,
): Promise<boolean> {
  if (existsSync(join(gitDir, "index.lock"))) return false;
  const tree = looseCommit(commonDir, commit)?.tree;
  const index = readIndex(gitDir)?.bytes;
  const isAsWanted =
    tree !== undefined &&
    index !== undefined &&
    checkedOutCommit({ gitDir, commonDir }) === commit &&
    treeOfIndex(index, objectFormatOf(commonDir)) === tree;
  return isAsWanted || hasAllFiles(run, path, gitDir);
}

const notCheckedOut = (path: string, branch: string): Failure =>
  new Failure(
    "worktree/changing",
    `${branch} was renamed or removed while git checked it out in ${path}.`,
    { path, branch_name: branch },
    { hint: "Run the command again: Pawl makes the worktree anew." },
  );
