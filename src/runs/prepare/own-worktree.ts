import { BRANCH_PREFIX, LOCK_REASON } from "../../domain/plan-branch.ts";
import { Failure } from "../../domain/errors.ts";
import type { Ports } from "../../platform/ports/index.ts";
import type { Interruption } from "../../platform/ports/interruption.ts";
import type { ListedWorktree } from "../../platform/ports/worktrees.ts";
import { chooseBase } from "../../worktrees/create/choose-base.ts";
import { forgetWorktree } from "../../worktrees/remove/prune-missing.ts";
import { furnishWorktree } from "../../worktrees/create/prepare-worktree.ts";
import { savedLines } from "../../worktrees/saved-lines.ts";
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
): Promise<WorkerWorktree & { readonly newBranchAt: string | undefined }> {
  const [worktrees, branches] = await Promise.all([ports.worktrees(), ports.branches()]);
  const branch = `${BRANCH_PREFIX}${name}`;
  const missing = listed.find((one) => one.branch === branch && one.isMissing);
  const warnings = missing ? savedLines((await forgetWorktree(ports, missing)).saved) : [];
  const ref = `refs/heads/${branch}`;
  const existing = (await branches.commits([ref])).get(ref);
  const commit = existing ?? (await chooseBase(ports, undefined, listed)).commit;
  const { worktree } = await worktrees.add({
    path: worktrees.place(name),
    branch,
    commit,
    isNewBranch: existing === undefined,
    lockReason: LOCK_REASON,
  });
  const newBranchAt = existing === undefined ? commit : undefined;
  return { worktree: ports.repository.worktree(worktree.path), branch, warnings, newBranchAt };
}

/** What a worktree needs besides its files, once: a call that was killed in it leaves it to the next. */
export async function prepareOwnWorktree(
  ports: Ports,
  place: WorkerWorktree & { readonly newBranchAt?: string | undefined },
  { isNew, interruption }: { readonly isNew: boolean; readonly interruption: Interruption | undefined },
): Promise<WorkerWorktree> {
  const { worktree: at, branch, newBranchAt } = place;
  const worktrees = await ports.worktrees();
  const worktree = (await worktrees.list()).find(({ path }) => path === at.path);
  if (worktree === undefined) return place;
  const warnings = [...place.warnings];
  const made = { worktree, branch: branch!, isNew, newBranchAt };
  if (!(await furnishWorktree(ports, made, { warnings, interruption })))
    throw new Failure("worktree/busy", `${at.path} was removed before anything was begun there.`, {
      worktree_path: at.path,
    });
  return { ...place, warnings };
}
