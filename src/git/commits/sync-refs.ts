import { closeSync, constants, existsSync, fsyncSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "../../domain/errors.ts";
import { readDotGit, type GitDirectory } from "../git-directory.ts";

/** The git directory of a worktree, which must be where it was a moment ago. */
export function gitDirectoryOf(worktree: string): GitDirectory {
  const dotGit = readDotGit(join(worktree, ".git"));
  if (dotGit.kind === "directory" || dotGit.kind === "file") return dotGit.git;
  throw new Failure("worktree/not-found", `${worktree} is no worktree any more.`, { worktree });
}

/** `refs/heads/main`, or undefined when a commit is checked out instead of a branch. */
export function checkedOutRef({ gitDir }: GitDirectory): string | undefined {
  return /^ref:\s*(refs\/\S+)/.exec(readFileSync(join(gitDir, "HEAD"), "utf8"))?.[1];
}

/**
 * Brings the folders to the disk in which git has put new files by renaming.
 *
 * Git flushes the files, not their folders: after a power cut a branch could be back at the commit before, while the
 * database already says that the step is completed.
 */
export function syncRefs(git: GitDirectory): void {
  const { gitDir, commonDir } = git;
  const parts = checkedOutRef(git)?.split("/").slice(0, -1);
  // `refs` itself is as old as the repository; what lies below may have been made for this branch.
  const refFolders = parts?.map((_, index) => join(commonDir, ...parts.slice(0, index + 1))).slice(1);
  const folders = [...(refFolders ?? [gitDir]), join(commonDir, "reftable")];
  for (const folder of folders) if (existsSync(folder)) syncFolder(folder);
}

function syncFolder(folder: string): void {
  const fd = openSync(folder, constants.O_RDONLY);
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
