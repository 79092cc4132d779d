import { recordsOf } from "../process/git-output.ts";
import type { RunGit } from "../process/run-git.ts";
import { diffTrees } from "../files/diff-trees.ts";

/**
 * Whether the index of a checkout is still that of the commit its branch was at before it moved.
 *
 * Only what the two commits have different tells: a file that is as it was speaks for it, one that is as it became
 * against it. Where somebody has staged something else in all of them nobody can tell, and it counts as behind: the
 * move is then tried again as one that their changes are in the way of.
 */
export async function isBehind(
  run: RunGit,
  worktree: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<boolean> {
  const changed = (await diffTrees(run, from, to)).map(({ path }) => path);
  if (changed.length === 0) return false;
  const hasAnyOf = async (commit: string): Promise<boolean> => {
    const args = ["diff-index", "--cached", "--name-only", "--no-renames", "-z", commit, "--"];
    const others = new Set(await recordsOf(run, { args, access: "read", worktree }));
    return changed.some((path) => !others.has(path));
  };
  return (await hasAnyOf(from)) || !(await hasAnyOf(to));
}
