import { shellWord } from "../domain/index.ts";
import type { ListedWorktree } from "../platform/ports/index.ts";

/** Why a worktree cannot be gone on with as it is, and what a person can do about it. */
export interface WorktreeTrouble {
  readonly says: string;
  readonly way: string;
}

/** How each of git's unfinished operations is brought to its end; none of these throws anything away. */
const WAYS: Readonly<Record<string, string>> = {
  rebase: "rebase --continue",
  merge: "merge --continue",
  "cherry-pick": "cherry-pick --continue",
  revert: "revert --continue",
  bisect: "bisect reset",
};

interface Case {
  readonly isSo: (worktree: ListedWorktree, branch: string) => boolean;
  readonly trouble: (worktree: ListedWorktree, branch: string) => WorktreeTrouble;
}

const switchTo = ({ path }: ListedWorktree, branch: string): string =>
  `go back with \`git -C ${shellWord(path)} switch ${shellWord(branch)}\``;

/** In this order: while git is in the middle of something, what is checked out is no person's decision. */
const CASES: readonly Case[] = [
  {
    isSo: ({ operation }) => operation !== undefined,
    trouble: ({ path, operation }) => ({
      says: `a ${operation} was begun in ${path} and not finished`,
      way: `finish it with \`git -C ${shellWord(path)} ${WAYS[operation!] ?? "status"}\``,
    }),
  },
  {
    isSo: ({ branch }) => branch === undefined,
    trouble: (worktree, branch) => ({
      says: `${worktree.path} has no branch checked out instead of ${branch} (HEAD is detached at ${worktree.head?.slice(0, 12) ?? "nothing"})`,
      way: `${switchTo(worktree, branch)}, after giving commits that you want to keep a branch`,
    }),
  },
  {
    isSo: ({ branch }, expected) => branch !== expected,
    trouble: (worktree, branch) => ({
      says: `${worktree.path} has ${worktree.branch} checked out instead of ${branch}`,
      way: switchTo(worktree, branch),
    }),
  },
];

/** Undefined for one that is as it should be, and for one that is gone: that is made again. */
export function worktreeTrouble(worktree: ListedWorktree, branch: string): WorktreeTrouble | undefined {
  if (worktree.isMissing) return undefined;
  return CASES.find(({ isSo }) => isSo(worktree, branch))?.trouble(worktree, branch);
}
