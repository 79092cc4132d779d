import { existsSync, readdirSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { type Instant, toInstant } from "../../../domain/index.ts";
import { pathFrom, readText } from "../repository/git-directory.ts";
import { idOfEntry } from "../repository/worktree-id.ts";

/** What git keeps of one worktree: for a linked one a folder under `worktrees/`, for the main one the git directory. */
export interface WorktreeEntry {
  /** As in `Worktree`. */
  readonly id: string;
  /** Where the entry itself is. */
  readonly gitDir: string;
  /** The folder it says the worktree is in, as git would print it. */
  readonly path: string;
}

/** Git's own list does not tell which entry a worktree has; the entries tell where their worktree is. */
export const worktreeEntries = (commonDir: string): readonly WorktreeEntry[] =>
  entriesIn(commonDir).flatMap((gitDir) => entryAt(gitDir) ?? []);

function entryAt(gitDir: string): WorktreeEntry | undefined {
  const target = readLine(join(gitDir, "gitdir"));
  if (target === undefined) return undefined;
  return { id: idOfEntry(gitDir), gitDir, path: dirname(pathFrom(gitDir, target)) };
}

/** The entry that the worktree at a canonical path names, if it names the worktree in turn. */
export function entryOf(commonDir: string, path: string): WorktreeEntry | undefined {
  const pointer = readLine(join(path, ".git"));
  const entry = pointer && entryAt(join(commonDir, "worktrees", basename(pointer)));
  return entry && canonicalPath(entry.path) === path ? entry : undefined;
}

/** The folder of each entry, whether or not git got to write it whole. */
export function entriesIn(commonDir: string): readonly string[] {
  const folder = join(commonDir, "worktrees");
  return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
}

/** Resolved as far as it exists, so that two ways to write a path compare equal even if nothing is there. */
export function canonicalPath(path: string): string {
  let folder = path.replace(/(?<=^.|[^/])\/+$/, "");
  let rest = "";
  for (;;) {
    try {
      return join(realpathSync.native(folder), rest);
    } catch {
      if (dirname(folder) === folder) return path;
      rest = join(folder.slice(dirname(folder).length).replace(/^\/+/, ""), rest);
      folder = dirname(folder);
    }
  }
}

/** What is going on in a worktree, by the files git leaves while it lasts. */
export function operationIn(gitDir: string): string | undefined {
  return OPERATIONS.find(([file]) => existsSync(join(gitDir, file)))?.[1];
}

// A rebase stops with a cherry-pick inside it, so it is asked for first.
const OPERATIONS = [
  ["rebase-merge", "rebase"],
  ["rebase-apply", "rebase"],
  ["MERGE_HEAD", "merge"],
  ["CHERRY_PICK_HEAD", "cherry-pick"],
  ["REVERT_HEAD", "revert"],
  ["BISECT_LOG", "bisect"],
] as const;

/** While a rebase runs HEAD is detached, and only its notes say whose branch it is. */
export function rebasedBranch(gitDir: string): string | undefined {
  const name =
    readLine(join(gitDir, "rebase-merge/head-name")) ?? readLine(join(gitDir, "rebase-apply/head-name"));
  return name?.startsWith("refs/heads/") ? name.slice("refs/heads/".length) : undefined;
}

/** The newest of some files of an entry. */
export function newestTime(gitDir: string, names: readonly string[]): Instant | undefined {
  const times = names.map((name) => statSync(join(gitDir, name), { throwIfNoEntry: false })?.mtimeMs ?? 0);
  const newest = Math.max(...times);
  return newest === 0 ? undefined : toInstant(newest);
}

export const readLine = (path: string): string | undefined =>
  readText(path)?.replace(/(?<![\r\n])[\r\n]+$/, "");

/** Whether a folder leads to git. A `.git` that a power cut emptied leads nowhere, as one that is gone. */
export const hasPointer = (path: string): boolean =>
  existsSync(join(path, ".git")) && !isBlankFile(join(path, ".git"));

/** Whether a file is there and says nothing: some file systems fill what a power cut lost with NULs. */
export function isBlankFile(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats?.isFile() || stats.size > MOST_BLANK_BYTES) return false;
  return readText(path)?.replace(/[\0\r\n]+/g, "") === "";
}

/** Longer than any file of an entry that names something. */
const MOST_BLANK_BYTES = 1 << 16;
