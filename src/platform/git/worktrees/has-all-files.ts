import { existsSync } from "node:fs";
import { join } from "node:path";
import { recordsOf } from "../process/git-output.ts";
import type { RunGit } from "../process/run-git.ts";

/**
 * Whether every committed file is there.
 *
 * Git writes the index last when it adds a worktree, and takes files away first when it removes one. So a git that died
 * in either leaves committed files missing, and the next commit there would delete them. The same holds for a branch that
 * was renamed or removed while git checked it out: git takes it for one without commits, checks out nothing and reports
 * success.
 */
export async function hasAllFiles(run: RunGit, path: string, gitDir: string): Promise<boolean> {
  if (!existsSync(join(gitDir, "index"))) return false;
  const changed = await recordsOf(run, {
    args: [
      "status",
      "--porcelain=v2",
      "--branch",
      "--no-ahead-behind",
      "-z",
      "--untracked-files=no",
      "--no-renames",
      "--ignore-submodules=dirty",
    ],
    access: "read",
    worktree: path,
  });
  return !changed.some((line) => line === "# branch.oid (initial)" || /^1 (?:D.|.D) /.test(line));
}
