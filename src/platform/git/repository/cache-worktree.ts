import { lstatSync } from "node:fs";
import { join } from "node:path";
import { entryName } from "../../../domain/index.ts";
import type { Worktree } from "../../ports/index.ts";
import { pathFrom } from "./git-directory.ts";

export interface WorktreeCache {
  /** What a relative path is relative to; canonical. */
  readonly base: string;
  readonly commonDir: string;
  readonly resolve: (path: string) => Worktree;
}

/**
 * Gives the answer of before while the files that it was read from are untouched.
 *
 * A worker names its worktree with every verb, and examining it takes forty system calls, as long as half of the SQL.
 * The marks of an answer are taken before the examination it comes from, so a change during it is noticed next time;
 * where they lie is only known after the first one, so the first answer has none.
 */
export function cacheWorktree({ base, commonDir, resolve }: WorktreeCache): (path: string) => Worktree {
  const answers = new Map<string, { readonly worktree: Worktree; readonly marks: string | undefined }>();
  return (path) => {
    const before = answers.get(path);
    const marks = before && marksOf(pathFrom(base, path), commonDir, before.worktree);
    if (before !== undefined && marks !== undefined && before.marks === marks) return before.worktree;
    const worktree = resolve(path);
    answers.set(path, { worktree, marks });
    return worktree;
  };
}

/**
 * Changes when the path leads elsewhere, the worktree goes, or git moves or forgets it.
 *
 * The path is not normalised, so that the kernel follows it as it did when the worktree was examined.
 */
function marksOf(path: string, commonDir: string, { id }: Worktree): string | undefined {
  try {
    const name = entryName(id);
    const entry =
      name === undefined
        ? []
        : ["gitdir", "commondir"].map((file) => markOf(join(commonDir, "worktrees", name, file)));
    return [markOf(`${path}/.git`), ...entry].join("\n");
  } catch {
    return undefined;
  }
}

/** Every write to a file, and every new one in its place, gives it another one. */
function markOf(path: string): string {
  const { dev, ino, ctimeMs } = lstatSync(path);
  return `${dev} ${ino} ${ctimeMs}`;
}
