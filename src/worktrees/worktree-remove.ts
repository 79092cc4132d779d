import { BRANCH_PREFIX, Failure } from "../domain/index.ts";
import type { ListedWorktree, Ports, Worktrees } from "../platform/ports/index.ts";
import { type Saved, removedBefore } from "./saved.ts";
import {
  deleteSaved,
  keepBranch,
  reasonToStay,
  saveAndRemove,
  type RemovedWorktree,
} from "./remove/remove-worktree.ts";
import { worktreeUse } from "./worktree-use.ts";

export interface RemoveRequest {
  /** Path of a worktree, or a branch. */
  readonly target: string;
  readonly deleteBranch?: boolean | undefined;
  readonly reason?: string | undefined;
}

export interface RemoveAnswer extends RemovedWorktree {
  /** False when there was no worktree any more. */
  readonly removed: boolean;
}

/** Takes down one worktree that is not in use. What is not saved yet is saved first. */
export async function removeWorktree(ports: Ports, request: RemoveRequest): Promise<RemoveAnswer> {
  const { deleteBranch = false } = request;
  const [worktrees, locks] = await Promise.all([ports.worktrees(), ports.locks()]);
  const target = await find(ports, worktrees, request.target);
  return locks.during(target.branch ?? target.path ?? "", async () => {
    const listed = await worktrees.list();
    const worktree = listed.find(({ path, branch }) =>
      target.path === undefined ? branch === target.branch : path === target.path,
    );
    if (worktree === undefined) return onlyBranch(ports, target, listed, deleteBranch);
    const reason = reasonToStay(worktree, listed, await worktreeUse(ports));
    if (reason !== undefined) throw reason;
    const because = request.reason ?? "removed by pawl worktree remove";
    return { ...(await saveAndRemove(ports, worktree, { deleteBranch, because })), removed: true };
  });
}

interface Target {
  readonly path: string | undefined;
  readonly branch: string | undefined;
  /** What was saved when it was taken down before. */
  readonly saved?: readonly Saved[];
}

/**
 * A branch by its name, else a worktree by its path.
 *
 * One that is gone already is still known by its path and by the journal, so that a call that died in between can be
 * repeated as it was, and tells then what was saved.
 */
async function find(ports: Ports, worktrees: Worktrees, target: string): Promise<Target> {
  const branches = await ports.branches();
  const listed = await worktrees.list();
  const byBranch = listed.find(({ branch }) => branch === target);
  if (byBranch) return byBranch;
  const path = worktrees.canonical(target);
  const byPath = listed.find((worktree) => worktree.path === path);
  if (byPath) return byPath;
  const name = target.startsWith(BRANCH_PREFIX)
    ? target.slice(BRANCH_PREFIX.length)
    : worktrees.nameAt(target);
  const branch = name === undefined ? target : `${BRANCH_PREFIX}${name}`;
  const ref = `refs/heads/${branch}`;
  const before = await removedBefore(ports, name === undefined ? path : worktrees.pathFor(name));
  const isThere = name !== undefined && (await branches.commits([ref])).has(ref);
  if (isThere || before !== undefined) return { path: undefined, branch, saved: before?.saved ?? [] };
  throw new Failure(
    "worktree/not-found",
    `${target} is no worktree of this repository and no branch of a plan.`,
    { target },
  );
}

/** What is left to do when the worktree went before: the branch, if it is to go. */
async function onlyBranch(
  ports: Ports,
  { branch, saved: before = [] }: Target,
  listed: readonly ListedWorktree[],
  deleteBranch: boolean,
): Promise<RemoveAnswer> {
  const nothing = {
    removed: false,
    worktreePath: null,
    branchName: branch ?? null,
    ignoredFiles: 0,
    claimedMeanwhile: [],
  };
  if (branch === undefined || !deleteBranch) return { ...nothing, branchDeleted: false, saved: before };
  const holder = listed.find((worktree) => worktree.branch === branch);
  if (holder !== undefined) {
    throw new Failure("worktree/in-use", `${branch} is checked out in ${holder.path}.`, {
      branch_name: branch,
    });
  }
  const kept = await keepBranch(ports, branch);
  const branchDeleted = await deleteSaved(ports, branch);
  return {
    ...nothing,
    branchDeleted,
    saved: [...before, ...kept.filter(({ ref }) => !before.some((one) => one.ref === ref))],
  };
}
