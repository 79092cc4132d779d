import { copyFileSync, existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { ListedWorktree, LoneCommit } from "../../ports/index.ts";
import { recordsOf } from "../process/git-output.ts";
import { PAWL_IDENTITY } from "../process/pawl-identity.ts";
import type { RunGit } from "../process/run-git.ts";
import { isHeldByRef } from "../refs/kept-refs.ts";
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
  for (const candidate of candidates) if (!(await isHeldByRef(run, candidate.commit))) lone.push(candidate);
  const logged = await onlyLogged(run, gitDir, candidates);
  if (logged !== undefined) lone.push(logged);
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

/**
 * What was checked out once and is on no branch: commits that a person reset away, or that a rebase replaced.
 *
 * Git keeps them for as long as the worktree's log names them, and the log goes with the entry. Those that no other
 * holds become the parents of one commit.
 */
async function onlyLogged(
  run: RunGit,
  gitDir: string,
  known: readonly LoneCommit[],
): Promise<LoneCommit | undefined> {
  const log = await run({
    args: [
      `--git-dir=${gitDir}`,
      "log",
      "--walk-reflogs",
      "--format=%H",
      "--no-show-signature",
      "HEAD",
      "--",
    ],
    access: "read",
    answers: [128],
  });
  const names = [...new Set(log.split("\n").filter((line) => line !== ""))];
  if (names.length === 0) return undefined;
  const listed = await run({
    args: [
      "rev-list",
      "--parents",
      "--ignore-missing",
      "--single-worktree",
      "--stdin",
      "--not",
      "--all",
      ...known.map(({ commit }) => commit),
    ],
    access: "read",
    input: `${names.join("\n")}\n`,
  });
  const lines = listed.split("\n").filter((line) => line !== "");
  const inside = new Set(lines.flatMap((line) => line.split(" ").slice(1)));
  const tips = lines.map((line) => line.split(" ")[0]!).filter((commit) => !inside.has(commit));
  if (tips.length === 0) return undefined;
  const what =
    tips.length === 1 ? "a commit that only its log knows" : `${tips.length} ends that only its log knows`;
  if (tips.length === 1) return { commit: tips[0]!, what };
  const tree = (await run({ args: ["rev-parse", `${tips[0]}^{tree}`], access: "read" })).trim();
  const commit = await run({
    args: ["commit-tree", tree, ...tips.flatMap((tip) => ["-p", tip]), "-m", "Commits of a worktree's log"],
    access: "write",
    // The same call makes the same commit.
    variables: { ...PAWL_IDENTITY, GIT_AUTHOR_DATE: "@0 +0000", GIT_COMMITTER_DATE: "@0 +0000" },
  });
  return { commit: commit.trim(), what };
}

/** The index outlives the folder; its blobs would not outlive the index. */
async function stagedIn(
  run: RunGit,
  { head }: ListedWorktree,
  gitDir: string,
): Promise<LoneCommit | undefined> {
  const index = join(gitDir, "index");
  if (head === undefined || !existsSync(index)) return undefined;
  const tree = await treeOfIndex(run, gitDir, index);
  const committed = (await run({ args: ["rev-parse", `${head}^{tree}`], access: "read" })).trim();
  if (tree === committed) return undefined;
  const commit = await run({
    args: ["commit-tree", tree, "-p", head, "-m", "Staged in a worktree whose folder is gone"],
    access: "write",
    variables: PAWL_IDENTITY,
  });
  return { commit: commit.trim(), what: "what was staged" };
}

/** Of a path in conflict every side is kept, under names of their own: git makes no tree of an index that has one. */
async function treeOfIndex(run: RunGit, gitDir: string, index: string): Promise<string> {
  const scratch = join(gitDir, "pawl-lone-index");
  copyFileSync(index, scratch);
  try {
    const sides = await recordsOf(run, {
      args: ["ls-files", "--unmerged", "-z"],
      access: "read",
      indexFile: scratch,
    });
    if (sides.length > 0)
      await run({
        args: ["update-index", "-z", "--index-info"],
        access: "write",
        indexFile: scratch,
        input: Buffer.from(sides.map(besideEachOther).join(""), "latin1"),
      });
    return (await run({ args: ["write-tree"], access: "write", indexFile: scratch })).trim();
  } finally {
    rmSync(scratch, { force: true });
  }
}

const SIDES: Readonly<Record<string, string>> = { "1": "base", "2": "ours", "3": "theirs" };

function besideEachOther(line: string): string {
  const [mode = "", name = "", stage = ""] = line.slice(0, line.indexOf("\t")).split(" ");
  const path = line.slice(line.indexOf("\t") + 1);
  return `0 ${"0".repeat(name.length)}\t${path}\0${mode} ${name} 0\t${path}.${SIDES[stage]}\0`;
}
