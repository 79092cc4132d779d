import type { Ports, Worktree } from "../../platform/ports/index.ts";
import { treeChanged } from "../make-commit.ts";

export interface WorkToRebase {
  readonly worktree: Worktree;
  readonly branch: string;
  readonly anchor: string;
  /** What lies in the worktree. */
  readonly tree: string;
  /** The commit that the work is put on top of. */
  readonly onto: string;
  /** What the work and that commit make together. */
  readonly merged: string;
  readonly isCommittedNext: boolean;
  /** Whether all of it was put into the index before. */
  readonly isStaged?: boolean | undefined;
}

/**
 * Puts the work of a worktree on top of another commit: that commit is checked out then, and the work is in the files,
 * not committed.
 *
 * Files, index and branch move together. A crash on the way leaves a move that is finished, or taken back, before
 * anything else happens there; both ends have all of the work.
 */
export async function rebaseWork(ports: Ports, work: WorkToRebase): Promise<void> {
  const { worktree, branch, anchor, tree, onto, merged, isCommittedNext: isAddedNext } = work;
  const [commits, branches, worktrees] = await Promise.all([
    ports.commits(),
    ports.branches(),
    ports.worktrees(),
  ]);
  const head = await commits.head(worktree);
  if (head === undefined || head === onto) return;
  await stageWork(ports, work, head);
  if (merged === tree)
    return commits.moveHead(worktree, { from: head, to: onto, why: `${anchor} is one commit` });
  const commitOf = (one: string, parent: string) =>
    branches.commitTree({ tree: one, parent, message: workMessage(anchor) });
  const [from, to] = [await commitOf(tree, head), await commitOf(merged, onto)];
  // No branch gets these two. Were they gone after a crash, the move would be taken back.
  const way = { branch, from, to, head: { from: head, to: onto }, isKept: true, isAddedNext };
  if (!(await worktrees.fastForward(worktree, way))) throw treeChanged(tree);
}

/** Puts everything that lies there into the index; an agent's own commits stay under a ref. */
async function stageWork(
  ports: Ports,
  { worktree, anchor, tree, onto, isStaged }: WorkToRebase,
  head: string,
): Promise<void> {
  const [commits, branches] = await Promise.all([ports.commits(), ports.branches()]);
  const isOwn = (await branches.mergeBase(onto, head)) !== head;
  if (isOwn) await branches.rescue(anchor, head);
  // What was written since it was staged is found when it is committed.
  if (isStaged && (await commits.staged(worktree)) === tree) return;
  await commits.stage(worktree, undefined);
  if ((await commits.staged(worktree)) !== tree) throw treeChanged(tree);
}

const workMessage = (anchor: string): string => `Work on ${anchor}, not landed yet`;
