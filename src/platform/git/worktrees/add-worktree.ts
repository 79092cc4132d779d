import { existsSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "../../../domain/index.ts";
import type { AddedWorktree, AddRequest } from "../../ports/index.ts";
import type { RunGit } from "../process/run-git.ts";
import { hasAllFiles } from "./has-all-files.ts";
import { LONG_CALL_MS } from "../process/long-call.ts";
import { entryOf, newestTime } from "./worktree-entry.ts";

/**
 * Adds a worktree by git, locked in the same call: a prune that runs beside it never finds it unlocked.
 *
 * Git undoes a failed add by itself, unless it is killed. A hook of the user's runs after everything else, and its
 * failure undoes nothing: then the worktree is there with all its files, and the failure is told.
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
  if (failure !== undefined && !(await isCheckedOut(run, path, entry.gitDir))) throw failure;
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

const isCheckedOut = async (run: RunGit, path: string, gitDir: string): Promise<boolean> =>
  !existsSync(join(gitDir, "index.lock")) && hasAllFiles(run, path, gitDir);
