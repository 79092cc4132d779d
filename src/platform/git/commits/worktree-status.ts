import { join } from "node:path";
import type { Paths, Worktree } from "../../ports/index.ts";
import type { RunInWorktree } from "../process/run-in-worktree.ts";
import { gitDirectoryOf } from "../refs/checked-out-ref.ts";
import { readText } from "../repository/git-directory.ts";
import { gitRefusal } from "./git-refusal.ts";

/** The paths with changes that are not committed, of all or of those below some paths. */
export async function uncommitted(
  run: RunInWorktree,
  worktree: Worktree,
  paths: Paths,
): Promise<readonly string[]> {
  const answer = await run(worktree, {
    args: [
      "--literal-pathspecs",
      "status",
      "--porcelain",
      "-z",
      "--no-renames",
      "--untracked-files=all",
      ...(paths ? ["--", ...paths] : []),
    ],
    access: "read",
  });
  if (answer.code !== 0) throw gitRefusal("status", answer);
  const lines = answer.stdout.toString("utf8").split("\0");
  return lines.filter((line) => line !== "").map((line) => line.slice(3));
}

/**
 * One answer of git's names both the commit and what differs from it.
 *
 * Asked for separately they can be about two moments: on a branch that is being renamed, git sees no commit, and an empty
 * checkout looks clean.
 */
export async function isAt(run: RunInWorktree, worktree: Worktree, commit: string): Promise<boolean> {
  if (isNarrowed(worktree)) return false;
  const answer = await run(worktree, {
    args: [
      "status",
      "--porcelain=v2",
      "-z",
      "--branch",
      "--no-ahead-behind",
      "--no-renames",
      "--untracked-files=all",
    ],
    access: "read",
  });
  if (answer.code !== 0) throw gitRefusal("status", answer);
  const lines = answer.stdout.toString("utf8").split("\0");
  return (
    lines.includes(`# branch.oid ${commit}`) && lines.every((line) => line === "" || line.startsWith("# "))
  );
}

/**
 * Whether an agent has made a sparse checkout of a worktree, or another one than its repository has.
 *
 * Git calls it clean, and the next agent would find files missing that nothing says are there.
 */
function isNarrowed({ path }: Worktree): boolean {
  const { gitDir, commonDir } = gitDirectoryOf(path);
  const [own, common] = [gitDir, commonDir].map((folder) => readText(join(folder, "info/sparse-checkout")));
  return own !== undefined && own !== common;
}
