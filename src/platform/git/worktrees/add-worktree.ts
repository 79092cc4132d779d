import { existsSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "../../../domain/index.ts";
import type { AddedWorktree, AddRequest } from "../../ports/index.ts";
import { readIndex } from "../index-file/copy-index.ts";
import { looseCommit } from "../objects/loose-commit.ts";
import { toObject } from "../objects/write-objects.ts";
import { objectFormatOf } from "../snapshots/conversion-settings.ts";
import { checkedOutCommit } from "../refs/checked-out-ref.ts";
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
  if (failure !== undefined && !(await isCheckedOut(run, path, entry.gitDir))) throw failure;
  if (await isEmptyCheckout(run, { path, gitDir: entry.gitDir, commonDir, commit }))
    throw emptyCheckout(path, branch);
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

interface AddedCheckout {
  readonly path: string;
  readonly gitDir: string;
  readonly commonDir: string;
  readonly commit: string;
}

/**
 * Whether git checked out nothing of a commit that has files, and reported success all the same.
 *
 * It does so for a branch that is renamed or removed meanwhile: for a moment it has no commit. A step's commit there would
 * delete every file. What a hook or a filter changes in a checkout is the user's own, so only an empty one counts.
 */
async function isEmptyCheckout(
  run: RunGit,
  { path: worktree, gitDir, commonDir, commit }: AddedCheckout,
): Promise<boolean> {
  const files = readIndex(gitDir)?.bytes.readUInt32BE(AT_COUNT) ?? 0;
  const isWanted = files > 0 || looseCommit(commonDir, commit)?.tree === emptyTree(commonDir);
  if (isWanted && checkedOutCommit({ gitDir, commonDir }) !== undefined) return false;
  const ask = (args: readonly string[]) => run({ args, access: "read", worktree, answers: [1] });
  const head = await ask(["rev-parse", "--quiet", "--verify", "HEAD^{commit}"]);
  const listed = await ask(["ls-files", "--full-name", "--", ":/"]);
  return head === "" || (listed === "" && (await ask(["ls-tree", "--name-only", commit])) !== "");
}

const emptyTree = (commonDir: string): string =>
  toObject("tree", Buffer.alloc(0), objectFormatOf(commonDir)).id;

/** Behind the name and the version of an index: how many files it has itself. */
const AT_COUNT = 8;

const emptyCheckout = (path: string, branch: string): Failure =>
  new Failure(
    "worktree/changing",
    `Git checked out no file of ${branch} in ${path}: the branch was renamed or removed meanwhile, or a hook removed them.`,
    { path, branch_name: branch },
    { hint: "Run the command again: Pawl recreates the worktree." },
  );
