import type { AddRequest, ListedWorktree } from "../../ports/worktrees.ts";
import type { RunGit } from "../run-git.ts";
import { LONG_MS } from "./long-call.ts";

/**
 * Adds a worktree by git, locked in the same call: a prune that runs beside it never finds it unlocked.
 *
 * Git undoes a failed add by itself. A hook of the user's runs after everything else, and its failure undoes nothing:
 * then the worktree is there, and the failure is told.
 */
export async function addWorktree(
  run: RunGit,
  { path, branch, start, lockReason }: AddRequest,
  list: () => Promise<readonly ListedWorktree[]>,
): Promise<{ readonly hookFailure: string | undefined }> {
  const what = start === undefined ? [path, branch] : ["--no-track", "-b", branch, path, start];
  try {
    await run({
      args: ["worktree", "add", "--quiet", "--lock", "--reason", lockReason, ...what],
      access: "write",
      timeoutMs: LONG_MS,
    });
    return { hookFailure: undefined };
  } catch (error) {
    const made = (await list()).find((worktree) => worktree.path === path);
    if (made === undefined || made.isMissing || made.branch !== branch) throw error;
    return { hookFailure: error instanceof Error ? error.message : String(error) };
  }
}
