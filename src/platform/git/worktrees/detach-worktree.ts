import {
  existsSync,
  lstatSync,
  readdirSync,
  renameSync,
  rmdirSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { Failure } from "../../../domain/index.ts";
import { LONG_CALL_MS } from "../process/long-call.ts";
import type { RunGit } from "../process/run-git.ts";
import { pathFrom } from "../repository/git-directory.ts";
import { removeListed } from "./list-files.ts";
import { RESCUED, rescuedName } from "./move-aside.ts";
import { canonicalPath, readLine } from "./worktree-entry.ts";
import type { FileList, ListedWorktree } from "../../ports/index.ts";

/** Where a worktree was before it went, and what git keeps of it. */
export interface DetachedWorktree {
  readonly path: string;
  readonly entry: string;
}

/**
 * Removes the listed files of a worktree, and nothing that was written since.
 *
 * `git worktree remove` deletes whatever it finds, also what came after its own look whether the worktree is clean. So
 * the folder moves aside first, and who writes by its path finds it gone; then every file that is as it was goes. Where
 * all of them do, the folder goes too. Else it stays aside with its `.git`, by which `reattach` and `releaseDetached` know
 * it, also after a crash anywhere in between.
 *
 * A folder that cannot move, as a mount, is emptied where it is, and then git removes it.
 */
export async function detachWorktree(
  run: RunGit,
  entry: string,
  worktree: ListedWorktree,
  files: FileList,
): Promise<"aside" | "gone"> {
  const { path } = worktree;
  const aside = rescuedName(path);
  if (!isMoved(path, aside)) {
    removeListed(path, files);
    if (!isEmptied(path)) throw changing(path);
    await removeByGit(run, entry, worktree, { evenDirty: true });
    return "gone";
  }
  removeListed(aside, files);
  if (isEmptied(aside)) drop(aside, entry);
  return "aside";
}

function isMoved(from: string, to: string): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return false;
  }
}

const isEmptied = (folder: string): boolean => readdirSync(folder).every((name) => name === DOT_GIT);

/** What comes into it at the last moment makes the removal fail; then it is known by its `.git` again. */
function drop(folder: string, entry: string): void {
  unlinkSync(join(folder, DOT_GIT));
  if (!isDropped(folder))
    writeFileSync(join(folder, DOT_GIT), `gitdir: ${entry}\n`, { flag: "wx", flush: true });
}

/** False when something is in it. */
function isDropped(folder: string): boolean {
  try {
    rmdirSync(folder);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return false;
  }
}

/** Brings a folder back to its place whose removal was cut off, so that it begins anew. False when there is none. */
export function reattach(leaving: DetachedWorktree): boolean {
  const [aside] = asidesOf(leaving);
  return aside !== undefined && !existsSync(leaving.path) && isMoved(aside, leaving.path);
}

/**
 * Cuts the folders that stay aside off from git, whose entry goes or gets another worktree, and names them.
 *
 * An empty one is what a crash leaves at the very end of a removal.
 */
export function releaseDetached(leaving: DetachedWorktree): readonly string[] {
  const asides = asidesOf(leaving);
  for (const aside of asides) unlinkSync(join(aside, DOT_GIT));
  const empty = new Set(rescuedBeside(leaving.path).filter(isDropped));
  return asides.filter((aside) => !empty.has(aside));
}

/** The folders beside a worktree that were its own, by their name and by their `.git`, which leads to its entry. */
const asidesOf = ({ path, entry }: DetachedWorktree): readonly string[] =>
  rescuedBeside(path).filter((aside) => leadsTo(aside, entry));

function rescuedBeside(path: string): readonly string[] {
  const parent = dirname(path);
  if (!existsSync(parent)) return [];
  return readdirSync(parent)
    .filter((name) => RESCUED.test(name) && name.replace(RESCUED, "") === basename(path))
    .map((name) => join(parent, name));
}

function leadsTo(aside: string, entry: string): boolean {
  const isFile = lstatSync(join(aside, DOT_GIT), { throwIfNoEntry: false })?.isFile() ?? false;
  const target = isFile ? /^gitdir: (.+)$/.exec(readLine(join(aside, DOT_GIT)) ?? "")?.[1] : undefined;
  return target !== undefined && canonicalPath(pathFrom(aside, target)) === canonicalPath(entry);
}

const DOT_GIT = ".git";

/**
 * Removes a worktree by git.
 *
 * Where the folder is a mount, git takes away all that is in it and its own entry, and then fails: the mount itself
 * stays, empty, which is no failure.
 */
export async function removeByGit(
  run: RunGit,
  entry: string,
  { path }: Pick<ListedWorktree, "path">,
  { evenDirty }: { readonly evenDirty: boolean },
): Promise<void> {
  try {
    const options = evenDirty ? ["--force"] : [];
    await run({ args: ["worktree", "remove", ...options, path], access: "write", timeoutMs: LONG_CALL_MS });
  } catch (error) {
    if (!isGone(entry, path)) throw error;
  }
}

/** Something came to a worktree after the last look. */
const changing = (path: string): Failure =>
  new Failure("worktree/changing", `Something was written to ${path} while it was being removed.`, {
    worktree_path: path,
  });

const isGone = (entry: string, path: string): boolean =>
  !existsSync(entry) && (!existsSync(path) || readdirSync(path).length === 0);
