import type { Ports, Worktree } from "../../platform/ports/index.ts";
import { treeChanged } from "../make-commit.ts";

export interface WorkToRebase {
  readonly worktree: Worktree;
  readonly branch: string;
  readonly anchor: string;
  /** What lies in the worktree. */
  readonly tree: string;
  /** The commit that the work goes on top of. */
  readonly onto: string;
  /** What the work and that commit make together. */
  readonly merged: string;
}

/**
 * Puts the work of a worktree on top of another commit: that commit is checked out then, and the work is in the files,
 * not committed.
 *
 * The files change by way of two commits that stay on the worker's own branch as long as that takes. A crash leaves one
 * of them checked out, with all of the work, and the same call continues from there.
 */
export async function rebaseWork(ports: Ports, work: WorkToRebase): Promise<void> {
  const { worktree, branch, anchor, tree, onto, merged } = work;
  const [commits, branches, worktrees] = await Promise.all([
    ports.commits(),
    ports.branches(),
    ports.worktrees(),
  ]);
  const head = await commits.head(worktree);
  if (head === undefined || head === onto) return;
  const parked = await park(ports, work, head);
  if (merged === tree)
    return commits.moveHead(worktree, { from: parked, to: onto, why: `${anchor} is one commit` });
  const next = await branches.commitTree({
    tree: merged,
    parent: onto,
    message: `Work on ${anchor} on top of what landed`,
  });
  try {
    if (!(await worktrees.fastForward(worktree, { branch, from: parked, to: next }))) throw treeChanged(tree);
  } catch (error) {
    // Such as an ignored file that what landed has as well: the worktree is left as it was.
    const why = `${anchor} stays where it was`;
    if (parked !== head) await commits.moveHead(worktree, { from: parked, to: head, why });
    throw error;
  }
  await commits.moveHead(worktree, { from: next, to: onto, why: `${anchor} on top of what landed` });
}

/** Commits what lies there, unless it is committed; an agent's own commits stay under a ref. */
async function park(
  ports: Ports,
  { worktree, anchor, tree, onto }: WorkToRebase,
  head: string,
): Promise<string> {
  const [commits, branches] = await Promise.all([ports.commits(), ports.branches()]);
  const isOwn = (await branches.mergeBase(onto, head)) !== head;
  if (isOwn) await branches.rescue(anchor, head);
  await commits.stage(worktree, undefined);
  if ((await commits.staged(worktree)) !== tree) throw treeChanged(tree);
  if ((await branches.treeOf(head)) === tree) return head;
  const parked = await branches.commitTree({
    tree,
    parent: head,
    message: `Work on ${anchor}, not landed yet`,
  });
  await commits.moveHead(worktree, { from: head, to: parked, why: `work on ${anchor}` });
  return parked;
}
