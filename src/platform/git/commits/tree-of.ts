import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Worktree } from "../../ports/index.ts";
import { makeScratch, sweepScratch } from "../../index.ts";
import { copyIndex } from "../index-file/copy-index.ts";
import { writeTreeOf } from "../index-file/tree-of-index.ts";
import { addAll } from "./add-all.ts";
import { refuseNested } from "./nested-repositories.ts";
import { gitRefusal } from "./git-refusal.ts";
import { FLUSH_OBJECTS_LATER, flushAdded } from "./flush-added.ts";
import { gitDirectoryOf } from "../refs/checked-out-ref.ts";
import type { RunInWorktree } from "../process/run-in-worktree.ts";

const PREFIX = "pawl-index-";

/**
 * The tree that a commit of everything would have now, made in an index of its own.
 *
 * It is what a verdict is bound to. Its objects are as durable as a commit's: git does not write again what is there.
 */
export async function treeOf(
  run: RunInWorktree,
  worktree: Worktree,
  without: readonly string[] = [],
): Promise<string> {
  const git = gitDirectoryOf(worktree.path);
  const { gitDir } = git;
  sweepScratch(gitDir, PREFIX);
  const folder = makeScratch(gitDir, PREFIX);
  const indexFile = join(folder, "index");
  try {
    // Starting from the worktree's own index saves reading files that did not change.
    copyIndex(gitDir, folder);
    await addAll(run, worktree, { indexFile, fsync: FLUSH_OBJECTS_LATER });
    await flushAdded(git, indexFile);
    if (without.length > 0) await asCommitted(run, worktree, { indexFile, paths: without });
    await refuseNested(run, worktree, indexFile);
    return (
      writeTreeOf(git.commonDir, readFileSync(indexFile)) ?? (await writeTree(run, worktree, { indexFile }))
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Makes entries of an index those of the last commit. Of a worktree's files and its own index nothing changes. */
async function asCommitted(
  run: RunInWorktree,
  worktree: Worktree,
  { indexFile, paths }: { readonly indexFile: string; readonly paths: readonly string[] },
): Promise<void> {
  const args = ["--literal-pathspecs", "reset", "--quiet", "HEAD", "--", ...paths];
  const answer = await run(worktree, { args, access: "write", indexFile });
  if (answer.code !== 0) throw gitRefusal("reset", answer);
}

/** The tree of an index: the worktree's own, or another one. */
export async function writeTree(
  run: RunInWorktree,
  worktree: Worktree,
  index: { readonly indexFile?: string } = {},
): Promise<string> {
  const answer = await run(worktree, { args: ["write-tree"], access: "write", ...index });
  if (answer.code !== 0) throw gitRefusal("write-tree", answer);
  return answer.stdout.toString("utf8").trim();
}

/** The paths in which two trees differ. */
export async function changedBetween(
  run: RunInWorktree,
  worktree: Worktree,
  before: string,
  after: string,
): Promise<readonly string[]> {
  if (before === after) return [];
  const answer = await run(worktree, {
    args: ["diff-tree", "-r", "-z", "--name-only", "--no-renames", before, after],
    access: "read",
  });
  if (answer.code !== 0) throw gitRefusal("diff-tree", answer);
  return answer.stdout
    .toString("utf8")
    .split("\0")
    .filter((name) => name !== "");
}
