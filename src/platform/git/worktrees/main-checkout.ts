import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { CheckedOut, Wanted } from "../../ports/index.ts";
import { pathFrom } from "../repository/git-directory.ts";
import { readRef } from "../refs/read-ref.ts";
import { canonicalPath, entriesIn, readLine, rebasedBranch } from "./worktree-entry.ts";

const BRANCH = /^ref: refs\/heads\/(?!\.invalid$)(.+)$/;

/**
 * The main checkout, where git's files say that no worktree has the branch or lies at the path.
 *
 * Undefined at the least doubt: a bare repository, a detached HEAD in the main checkout, a branch without a commit, an
 * entry that is not whole. Git knows more about each of them than its files say at a glance.
 */
export function mainIfFree(
  { commonDir, mainTopLevel }: { readonly commonDir: string; readonly mainTopLevel: string | undefined },
  wanted: Wanted,
): CheckedOut | undefined {
  const branch = branchOf(readLine(join(commonDir, "HEAD")));
  if (mainTopLevel === undefined || branch === undefined || branch === wanted.branch) return undefined;
  if (!entriesIn(commonDir).every((entry) => isElsewhere(entry, wanted))) return undefined;
  const head = readRef(commonDir, `refs/heads/${branch}`)?.commit;
  return head === undefined ? undefined : { path: mainTopLevel, isMain: true, isBare: false, branch, head };
}

/** Whether an entry is whole, and of a worktree that is not in the way. */
function isElsewhere(entry: string, { branch, path }: Wanted): boolean {
  const head = readLine(join(entry, "HEAD"));
  const place = readLine(join(entry, "gitdir"));
  if (!head || !place || !existsSync(join(entry, "index"))) return false;
  const folder = dirname(pathFrom(entry, place));
  const isThere = basename(folder) === basename(path) && canonicalPath(folder) === path;
  return !isThere && (branchOf(head) ?? rebasedBranch(entry)) !== branch;
}

const branchOf = (head: string | undefined): string | undefined => BRANCH.exec(head ?? "")?.[1];
