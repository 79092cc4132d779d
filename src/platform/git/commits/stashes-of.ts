import type { Stash, Worktree } from "../../ports/index.ts";
import { readRef } from "../refs/read-ref.ts";
import { gitDirectoryOf } from "../refs/checked-out-ref.ts";
import type { RunInWorktree } from "../process/run-in-worktree.ts";

/**
 * The entries of the stash that come from one branch: all worktrees of a repository share it, and the words that git
 * gives an entry are all that tells them apart.
 */
export async function stashesOf(
  run: RunInWorktree,
  worktree: Worktree,
  branch: string,
): Promise<readonly Stash[]> {
  const stash = readRef(gitDirectoryOf(worktree.path).commonDir, "refs/stash");
  if (stash && stash.commit === undefined) return [];
  const { code, stdout } = await run(worktree, {
    args: ["log", "-g", "-z", "--no-color", "--no-show-signature", FORMAT, "refs/stash", "--"],
    access: "read",
  });
  // Without a stash there is no such ref.
  if (code !== 0) return [];
  return stdout
    .toString("utf8")
    .split("\0")
    .map((entry) => entry.split("\t"))
    .filter(([, , words = ""]) =>
      [`WIP on ${branch}: `, `On ${branch}: `].some((from) => words.startsWith(from)),
    )
    .map(([commit, seconds]) => ({ commit: commit!, madeMs: Number(seconds) * 1000 }));
}

const FORMAT = "--format=%H%x09%ct%x09%gs";
