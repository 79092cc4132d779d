import { Failure } from "../../domain/index.ts";
import type { ListedWorktree, Ports } from "../../platform/ports/index.ts";

/** The worktree that has a branch checked out. Two of them cannot both follow when the branch moves. */
export function soleCheckout(listed: readonly ListedWorktree[], base: string): ListedWorktree | undefined {
  const [first, second] = listed.filter(
    ({ branch, isBare, isMissing }) => branch === base && !isBare && !isMissing,
  );
  if (first === undefined || second === undefined) return first;
  throw new Failure(
    "merge/in-the-way",
    `${base} is checked out twice, in ${first.path} and in ${second.path}: one of them would be left behind.`,
    { base_branch: base, worktree_paths: [first.path, second.path], files: [] },
    { hint: `Switch one of them to another branch, then try again.` },
  );
}

/** Finishes what killed calls left in checkouts; one that cannot be finished stops everything else. */
export async function finishForwards(ports: Ports): Promise<void> {
  const worktrees = await ports.worktrees();
  for (const worktree of await worktrees.list())
    if (!worktree.isBare && !worktree.isMissing) await worktrees.finishForward(worktree);
}

/** Refuses over files that the merge would write and the user has changed, and over an operation that is not finished. */
export async function refuseUncommitted(
  ports: Ports,
  checkout: ListedWorktree,
  { base, from, to }: { readonly base: string; readonly from: string; readonly to: string },
): Promise<void> {
  const details = { worktree_path: checkout.path, base_branch: base };
  if (checkout.operation !== undefined) {
    throw new Failure(
      "merge/in-the-way",
      `A ${checkout.operation} is going on in ${checkout.path}, where ${base} is checked out.`,
      { ...details, operation: checkout.operation, files: [] },
      { hint: `Finish the ${checkout.operation} there, then try again.` },
    );
  }
  const worktrees = await ports.worktrees();
  const files = await worktrees.inTheWay(ports.repository.worktree(checkout.path), { from, to });
  if (files.length === 0) return;
  throw new Failure(
    "merge/in-the-way",
    `The merge would write over uncommitted changes in ${checkout.path}: ${files.join(", ")}.`,
    { ...details, files },
  );
}

/** False when the base is not where it was, or is not checked out there any more. */
export async function bringForward(
  ports: Ports,
  checkout: ListedWorktree,
  { base, commit }: { readonly base: string; readonly commit: string },
): Promise<boolean> {
  const worktrees = await ports.worktrees();
  return worktrees.fastForward(ports.repository.worktree(checkout.path), { branch: base, to: commit });
}
