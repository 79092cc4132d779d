import { lstatSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Worktree } from "../../ports/repository.ts";
import type { RunGit } from "../run-git.ts";
import { LONG_MS } from "./long-call.ts";

/**
 * Which of some files lie in a checkout as a merge would write them, so that nothing is lost when it does.
 *
 * Somebody has put the same file there by hand, or a git was killed after it wrote the files and before it moved the
 * branch. A file of which something else is staged does not count: what is staged would be lost.
 */
export async function alreadyMerged(
  run: RunGit,
  { path }: Worktree,
  { tree, files, scratchIndex }: { tree: string; files: readonly string[]; scratchIndex: string },
): Promise<readonly string[]> {
  const names = async (args: readonly string[], indexFile?: string) => {
    const call = { args, access: "read", worktree: path, timeoutMs: LONG_MS } as const;
    const answer = await run(indexFile === undefined ? call : { ...call, indexFile });
    return new Set(answer.split("\0"));
  };
  const cached = ["diff-index", "--cached", "--name-only", "-z", "--no-renames"];
  try {
    await run({ args: ["read-tree", tree], access: "write", worktree: path, indexFile: scratchIndex });
    const wanted = await names(["ls-files", "-z"], scratchIndex);
    const different = await names(["diff", "--name-only", "-z", "--no-renames"], scratchIndex);
    const [staged, stagedElse] = [await names([...cached, "HEAD"]), await names([...cached, tree])];
    return files.filter((file) => {
      if (staged.has(file) && stagedElse.has(file)) return false;
      return wanted.has(file) ? !different.has(file) : !isThere(join(path, file));
    });
  } finally {
    rmSync(scratchIndex, { force: true });
  }
}

/** What cannot be looked at counts as there. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return true;
  }
}

/** Tells the index of such files what the files are already: from then on git sees nothing in its way. */
export async function stageMerged(run: RunGit, { path }: Worktree, files: readonly string[]): Promise<void> {
  if (files.length === 0) return;
  await run({
    args: ["update-index", "--add", "--remove", "-z", "--stdin"],
    access: "write",
    worktree: path,
    input: files.map((file) => `${file}\0`).join(""),
    timeoutMs: LONG_MS,
  });
}
