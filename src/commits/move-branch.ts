import { Failure, shellWord } from "../domain/index.ts";
import type { ListedWorktree, Ports } from "../platform/ports/index.ts";

/** A branch on its way from one commit to another. */
export interface Move {
  readonly branch: string;
  readonly from: string;
  readonly to: string;
}

/**
 * Moves a branch that is checked out nowhere; false when it is elsewhere by now, or checked out.
 *
 * No lock of git's keeps a person from switching to a branch while it moves. Their files would stay those of before,
 * and their next commit take back all that the branch got. So the checkouts are read once more after the move; one
 * that came in between gets its branch back, and the caller tries again, this time with its files.
 */
export async function moveBranch(ports: Ports, move: Move): Promise<boolean> {
  const branches = await ports.branches();
  if (!(await branches.advance(move.branch, move.from, move.to))) return false;
  return !(await takeBackUnder(ports, move));
}

/** Takes a move back that left a checkout behind; true when there was one. */
export async function takeBackUnder(ports: Ports, move: Move): Promise<boolean> {
  const { branch, from, to } = move;
  const left = await leftBehind(ports, move);
  if (left === undefined) return false;
  const branches = await ports.branches();
  if (await branches.advance(branch, to, from, "taken back, it was checked out meanwhile")) return true;
  throw overtaken(left, move);
}

async function leftBehind(ports: Ports, { branch, from, to }: Move): Promise<ListedWorktree | undefined> {
  const worktrees = await ports.worktrees();
  for (const checkout of await worktrees.checkoutsOf(branch)) {
    const worktree = ports.repository.worktree(checkout.path);
    if (await worktrees.isBehind(worktree, { from, to })) return checkout;
  }
  return undefined;
}

const overtaken = ({ path }: ListedWorktree, { branch, from, to }: Move): Failure =>
  new Failure(
    "merge/overtaken",
    `${branch} was checked out in ${path} while Pawl moved it to ${to}, and another program has moved it since. The index there still holds the earlier state.`,
    { worktree_path: path, branch_name: branch, from, commit: to },
    {
      hint: `For people: \`git -C ${shellWord(path)} diff --stat ${to} HEAD\` shows whether a commit there took the merge back. \`git -C ${shellWord(path)} read-tree -m -u ${from} HEAD\` brings the files along; it writes over nothing that was changed.`,
    },
  );
