import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "../../../domain/index.ts";
import { flushRef } from "./flush-ref.ts";
import { commitIn, readRef } from "./read-ref.ts";
import { type GitDirectory, readDotGit, readText } from "../repository/git-directory.ts";
import { syncPaths } from "../../index.ts";

/** The git directory of a worktree, which must be where it was a moment ago. */
export function gitDirectoryOf(worktree: string): GitDirectory {
  const dotGit = readDotGit(join(worktree, ".git"));
  if (dotGit.kind === "directory" || dotGit.kind === "file") return dotGit.git;
  throw new Failure("worktree/not-found", `${worktree} is no longer a worktree.`, { worktree });
}

/** `refs/heads/main`, or undefined when a commit is checked out instead of a branch. */
export function checkedOutRef({ gitDir }: GitDirectory): string | undefined {
  return /^ref:\s*(refs\/\S+)/.exec(readFileSync(join(gitDir, "HEAD"), "utf8"))?.[1];
}

/** Brings the folders to the disk in which git has put what is checked out now. */
export async function flushCheckedOutRef(git: GitDirectory): Promise<void> {
  const ref = checkedOutRef(git);
  await (ref === undefined ? syncPaths(git.gitDir, [git.gitDir]) : flushRef(git.commonDir, ref));
}

/**
 * The commit that is checked out, read as git keeps it in files; undefined where only git can tell.
 *
 * Starting git to ask costs as much as the rest of the look.
 */
export function checkedOutCommit(git: GitDirectory): string | undefined {
  const ref = checkedOutRef(git);
  if (ref === undefined) return commitIn(readText(join(git.gitDir, "HEAD")) ?? "");
  // Others may be the worktree's own, and lie elsewhere.
  return ref.startsWith("refs/heads/") ? readRef(git.commonDir, ref)?.commit : undefined;
}
