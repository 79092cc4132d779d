import { Failure } from "../domain/errors.ts";
import { BRANCH_PREFIX } from "../domain/plan-branch.ts";
import type { Ports } from "../ports/index.ts";
import type { ListedWorktree, Worktrees } from "../ports/worktrees.ts";
import { deleteSaved, keepBranch, reasonToStay, takeDown, type TakenDown } from "./take-down.ts";
import { worktreeUse } from "./worktree-use.ts";

export interface RemoveRequest {
  /** Path of a worktree, or a branch. */
  readonly target: string;
  readonly deleteBranch?: boolean | undefined;
  readonly reason?: string | undefined;
}

export interface RemoveAnswer extends TakenDown {
  /** False when there was no worktree any more. */
  readonly removed: boolean;
}

/** Takes down one worktree that nobody works in. What is not saved yet is saved first. */
export async function removeWorktree(ports: Ports, request: RemoveRequest): Promise<RemoveAnswer> {
  const { deleteBranch = false } = request;
  const [worktrees, locks] = await Promise.all([ports.worktrees(), ports.locks()]);
  const target = await find(ports, worktrees, request.target);
  return locks.during(target.branch ?? target.path ?? "", async () => {
    const listed = await worktrees.list();
    const worktree = listed.find(({ path, branch }) =>
      target.path === undefined ? branch === target.branch : path === target.path,
    );
    if (worktree === undefined) return onlyBranch(ports, target.branch, listed, deleteBranch);
    const reason = reasonToStay(worktree, listed, await worktreeUse(ports));
    if (reason !== undefined) throw reason;
    const because = request.reason ?? "removed by pawl worktree remove";
    return { ...(await takeDown(ports, worktree, { deleteBranch, because })), removed: true };
  });
}

interface Target {
  readonly path: string | undefined;
  readonly branch: string | undefined;
}

/**
 * A branch by its name, else a worktree by its path.
 *
 * The path of a worktree that is gone already still tells the branch, so that a call that died in between can be
 * repeated as it was.
 */
async function find(ports: Ports, worktrees: Worktrees, target: string): Promise<Target> {
  const branches = await ports.branches();
  const listed = await worktrees.list();
  const byBranch = listed.find(({ branch }) => branch === target);
  if (byBranch) return byBranch;
  const path = worktrees.canonical(target);
  const byPath = listed.find((worktree) => worktree.path === path);
  if (byPath) return byPath;
  const name = worktrees.nameAt(target);
  const candidates = [target, ...(name === undefined ? [] : [`${BRANCH_PREFIX}${name}`])];
  const refs = await branches.commits(candidates.map((branch) => `refs/heads/${branch}`));
  const branch = candidates.find((one) => refs.has(`refs/heads/${one}`));
  if (branch?.startsWith(BRANCH_PREFIX)) return { path: undefined, branch };
  throw new Failure(
    "worktree/not-found",
    `${target} is no worktree of this repository and no branch of a plan.`,
    {
      target,
    },
  );
}

/** What is left to do when the worktree went before: the branch, if it is to go. */
async function onlyBranch(
  ports: Ports,
  branch: string | undefined,
  listed: readonly ListedWorktree[],
  deleteBranch: boolean,
): Promise<RemoveAnswer> {
  const nothing = { removed: false, worktreePath: null, branchName: branch ?? null };
  if (branch === undefined || !deleteBranch) return { ...nothing, branchDeleted: false, saved: [] };
  const holder = listed.find((worktree) => worktree.branch === branch);
  if (holder !== undefined) {
    throw new Failure("worktree/in-use", `${branch} is checked out in ${holder.path}.`, {
      branch_name: branch,
    });
  }
  const saved = await keepBranch(ports, branch);
  return { ...nothing, branchDeleted: await deleteSaved(ports, branch), saved };
}
