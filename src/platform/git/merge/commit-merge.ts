import { existsSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "../../../domain/index.ts";
import type { BranchMerge, Files } from "../../ports/index.ts";
import type { Environment } from "../process/git-environment.ts";
import type { RunGit } from "../process/run-git.ts";
import { mayRunHooks, readCommitSettings } from "../repository/commit-settings.ts";
import { branchLog, looseStep } from "./branch-log.ts";
import { LONG_CALL_MS } from "../process/long-call.ts";
import { moveAside } from "../worktrees/move-aside.ts";
import { mergeMessage, squashMessage } from "./merge-message.ts";

export interface CommitSetting {
  readonly run: RunGit;
  readonly files: Files;
  readonly commonDir: string;
  readonly env: Environment;
  /** Where a checkout goes that lasts as long as the hooks run. */
  readonly scratch: string;
}

/**
 * Makes the commit a merge ends in; no branch moves.
 *
 * Without hooks it is made of the tree that was merged in memory. With hooks git itself makes it, in a checkout of its
 * own for as long as that takes: a hook expects files around it, and those of the user are none of its business until
 * it has agreed.
 */
export async function commitMerge(setting: CommitSetting, request: BranchMerge): Promise<string> {
  const { run, commonDir, env } = setting;
  const message = await messageOf(setting, request);
  try {
    const settings = await readCommitSettings(run, { gitDir: commonDir, env });
    return mayRunHooks(settings, commonDir, request.squash ? SQUASH_HOOKS : MERGE_HOOKS)
      ? await byGit(setting, request, message)
      : await byPlumbing(setting, request, { message, signs: settings.signs });
  } catch (error) {
    throw refused(error);
  }
}

async function messageOf({ run, commonDir }: CommitSetting, request: BranchMerge): Promise<string> {
  const { base, branch, squash, title } = request;
  const only = squash ? undefined : looseStep(commonDir, base, branch);
  if (only !== undefined) return mergeMessage(title, [only]);
  return (squash ? squashMessage : mergeMessage)(title, await branchLog(run, base, branch));
}

const OURS = "pawl: for the hooks of a merge";
const BEING_MADE = "initializing";

const MERGE_HOOKS = ["pre-merge-commit", "prepare-commit-msg", "commit-msg"];
const SQUASH_HOOKS = ["pre-commit", "prepare-commit-msg", "commit-msg", "post-commit"];

async function byPlumbing(
  { run }: CommitSetting,
  { base, branch, tree, squash }: BranchMerge,
  { message, signs }: { readonly message: string; readonly signs: boolean },
): Promise<string> {
  const parents = squash ? ["-p", base] : ["-p", base, "-p", branch];
  const answer = await run({
    args: ["commit-tree", ...(signs ? ["-S"] : []), ...parents, "-F", "-", tree],
    access: "write",
    input: message,
    timeoutMs: LONG_CALL_MS,
  });
  return answer.trim();
}

async function byGit(setting: CommitSetting, request: BranchMerge, message: string): Promise<string> {
  const { run, files, scratch } = setting;
  const { base, branch, squash } = request;
  const inScratch = (...args: readonly string[]) =>
    run({ args, access: "write", worktree: scratch, timeoutMs: LONG_CALL_MS });
  await removeScratch(setting);
  await run({
    args: ["worktree", "add", "--quiet", "--lock", "--reason", OURS, "--detach", scratch, base],
    access: "write",
    timeoutMs: LONG_CALL_MS,
  });
  try {
    const gitDir = (await inScratch("rev-parse", "--absolute-git-dir")).trim();
    const text = join(gitDir, "pawl-message");
    files.replace(text, message);
    if (squash) {
      await inScratch("merge", "--quiet", "--squash", branch);
      await inScratch("commit", "--quiet", "--cleanup=whitespace", `--file=${text}`);
    } else {
      await inScratch(
        "merge",
        "--quiet",
        "--no-ff",
        "--no-edit",
        "--cleanup=whitespace",
        `--file=${text}`,
        branch,
      );
    }
    return (await inScratch("rev-parse", "HEAD")).trim();
  } finally {
    await removeScratch(setting);
  }
}

/**
 * It holds nothing but what git checked out there and what hooks made of it; one that a crash left is made anew.
 *
 * It is locked with a reason of ours, or with git's own by a git that was killed while it made it; hence the second
 * `--force`. Any other worktree in its place belongs to a person. A folder without its `.git` is no checkout that git would
 * remove, so its content is unknown, and it stays.
 */
async function removeScratch({ run, scratch }: CommitSetting): Promise<void> {
  if (!existsSync(join(scratch, ".git"))) moveAside(scratch);
  const listed = await run({ args: ["worktree", "list", "--porcelain", "-z"], access: "read" });
  const record = listed.split("\0\0").find((one) => one.startsWith(`worktree ${scratch}\0`));
  if (record === undefined) return;
  const lock = /^locked (.*)$/m.exec(record.replaceAll("\0", "\n"))?.[1];
  if (lock !== OURS && lock !== BEING_MADE)
    throw new Failure("worktree/in-the-way", `${scratch} is a worktree that Pawl did not make.`, {
      path: scratch,
    });
  await run({
    args: ["worktree", "remove", "--force", "--force", scratch],
    access: "write",
    timeoutMs: LONG_CALL_MS,
  });
}

function refused(error: unknown): unknown {
  if (!(error instanceof Failure) || error.problem !== "git/failed") return error;
  return new Failure("merge/refused", `Nothing was merged: ${error.message}`, error.details, {
    cause: error,
  });
}
