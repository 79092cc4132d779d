import { copyFileSync, lstatSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Worktree } from "../../ports/repository.ts";
import { refused } from "./refused.ts";
import { ADDED_LATER, settleAdded } from "./settle-added.ts";
import { gitDirectoryOf } from "./sync-refs.ts";
import type { RunInWorktree } from "./worktree-runner.ts";

const PREFIX = "pawl-index-";
const DAY_MS = 86_400_000;

/**
 * The tree that `git add --all` and a commit would make now, made in an index of its own.
 *
 * It is what a verdict is bound to. Its objects are as durable as a commit's: git does not write again what is there.
 */
export async function treeOf(run: RunInWorktree, worktree: Worktree): Promise<string> {
  const git = gitDirectoryOf(worktree.path);
  const { gitDir } = git;
  sweep(gitDir);
  const folder = mkdtempSync(join(gitDir, PREFIX));
  const indexFile = join(folder, "index");
  try {
    copyIndex(join(gitDir, "index"), indexFile);
    const adding = { args: ["add", "--all"], access: "write", fsync: ADDED_LATER, indexFile } as const;
    const added = await run(worktree, adding);
    if (added.code !== 0) throw refused("add", added);
    await settleAdded(git, indexFile);
    const tree = await run(worktree, { args: ["write-tree"], access: "write", indexFile });
    if (tree.code !== 0) throw refused("write-tree", tree);
    return tree.stdout.toString("utf8").trim();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Starting from the worktree's own index saves reading files that did not change. A new worktree may have none. */
function copyIndex(from: string, to: string): void {
  try {
    copyFileSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
}

/** What a kill left behind. */
function sweep(gitDir: string): void {
  for (const name of readdirSync(gitDir)) {
    if (!name.startsWith(PREFIX)) continue;
    const stat = lstatSync(join(gitDir, name), { throwIfNoEntry: false });
    if (stat && Date.now() - stat.mtimeMs > DAY_MS)
      rmSync(join(gitDir, name), { recursive: true, force: true });
  }
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
  if (answer.code !== 0) throw refused("diff-tree", answer);
  return answer.stdout
    .toString("utf8")
    .split("\0")
    .filter((name) => name !== "");
}
