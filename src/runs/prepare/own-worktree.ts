import { BRANCH_PREFIX, LOCK_REASON } from "../../domain/index.ts";
import type { ListedWorktree, Ports } from "../../platform/ports/index.ts";
import { chooseBase } from "../../commits/index.ts";
import { pruneMissing, savedLines } from "../../worktrees/index.ts";
import type { WorkerWorktree } from "./worker-worktree.ts";

/**
 * Makes a worktree for work that is about no plan's steps, from its branch where that is left, else from the base.
 *
 * One whose folder is gone is forgotten first: git would refuse its place for ever.
 */
export async function addOwnWorktree(
  ports: Ports,
  name: string,
  listed: readonly ListedWorktree[],
): Promise<WorkerWorktree> {
  const [worktrees, branches] = await Promise.all([ports.worktrees(), ports.branches()]);
  const branch = `${BRANCH_PREFIX}${name}`;
  const missing = listed.find((one) => one.branch === branch && one.isMissing);
  const warnings = missing ? savedLines((await pruneMissing(ports, missing)).saved) : [];
  const ref = `refs/heads/${branch}`;
  const existing = (await branches.commits([ref])).get(ref);
  const commit = existing ?? (await chooseBase(ports, undefined, listed)).commit;
  const { worktree } = await worktrees.add({
    path: worktrees.pathFor(name),
    branch,
    commit,
    isNewBranch: existing === undefined,
    lockReason: LOCK_REASON,
  });
  const newBranchAt = existing === undefined ? commit : undefined;
  return {
    worktree: ports.repository.worktree(worktree.path),
    branch,
    warnings,
    made: { worktree, branch, isNew: true, newBranchAt },
  };
}
