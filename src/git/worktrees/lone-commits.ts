import { existsSync } from "node:fs";
import { join } from "node:path";
import type { ListedWorktree, LoneCommit } from "../../ports/worktrees.ts";
import { PAWL_IDENTITY } from "../pawl-identity.ts";
import type { RunGit } from "../run-git.ts";
import { isHeld } from "./is-held.ts";
import { readLine } from "./worktree-entry.ts";

/**
 * Commits that go with a worktree's entry, because nothing but the entry holds on to them.
 *
 * Those are a detached HEAD (also in the middle of a rebase), the refs of the worktree's own, and, where the folder is
 * gone and no snapshot can be taken any more, what was staged.
 */
export async function loneCommits(
  run: RunGit,
  worktree: ListedWorktree,
  gitDir: string,
): Promise<readonly LoneCommit[]> {
  const candidates: LoneCommit[] = [];
  const isDetached = readLine(join(gitDir, "HEAD"))?.startsWith("ref:") === false;
  if (isDetached && worktree.head !== undefined) {
    candidates.push({ commit: worktree.head, what: "the detached HEAD" });
  }
  if (existsSync(join(gitDir, "refs", "worktree"))) candidates.push(...(await ownRefs(run, gitDir)));
  const lone: LoneCommit[] = [];
  for (const candidate of candidates) if (!(await isHeld(run, candidate.commit))) lone.push(candidate);
  const staged = worktree.isMissing ? await stagedIn(run, worktree, gitDir) : undefined;
  return staged === undefined ? lone : [...lone, staged];
}

async function ownRefs(run: RunGit, gitDir: string): Promise<readonly LoneCommit[]> {
  const answer = await run({
    args: [`--git-dir=${gitDir}`, "for-each-ref", "--format=%(objectname) %(refname)", "refs/worktree"],
    access: "read",
  });
  return answer
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => ({ commit: line.slice(0, line.indexOf(" ")), what: line.slice(line.indexOf(" ") + 1) }));
}

/** The index outlives the folder; its blobs would not outlive the index. */
async function stagedIn(
  run: RunGit,
  { head }: ListedWorktree,
  gitDir: string,
): Promise<LoneCommit | undefined> {
  const index = join(gitDir, "index");
  if (head === undefined || !existsSync(index)) return undefined;
  const tree = (await run({ args: ["write-tree"], access: "write", indexFile: index })).trim();
  const committed = (await run({ args: ["rev-parse", `${head}^{tree}`], access: "read" })).trim();
  if (tree === committed) return undefined;
  const commit = await run({
    args: ["commit-tree", tree, "-p", head, "-m", "Staged in a worktree whose folder is gone"],
    access: "write",
    variables: PAWL_IDENTITY,
  });
  return { commit: commit.trim(), what: "what was staged" };
}
