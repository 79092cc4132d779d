import {
  accessSync,
  constants,
  lstatSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  type Stats,
  statSync,
} from "node:fs";
import { dirname, isAbsolute, join } from "node:path";

/** A git directory and the one it shares with the other worktrees; the same unless the worktree is a linked one. */
export interface GitDirectory {
  readonly gitDir: string;
  readonly commonDir: string;
}

/** What stands at the path of a `.git`. */
export type DotGit =
  | { readonly kind: "absent" }
  | { readonly kind: "directory" | "file"; readonly git: GitDirectory }
  | { readonly kind: "broken"; readonly problem: string };

/**
 * Reads `.git` by git's own rules, since starting git to ask it would cost more than most commands take.
 *
 * A `.git` file that leads nowhere is broken, not absent: walking on to the folder above would hand the caller another
 * repository than the one it stands in. A `.git` folder that is no git directory counts as absent, as it does for git.
 */
export function readDotGit(path: string): DotGit {
  const stats = statsOf(path);
  if (stats === undefined) return { kind: "absent" };
  if (!stats.isFile()) {
    const git = openGitDirectory(path);
    return git === undefined ? { kind: "absent" } : { kind: "directory", git };
  }
  const broken = (problem: string): DotGit => ({ kind: "broken", problem: `${path} ${problem}` });
  if (stats.size > MAX_POINTER_BYTES) return broken("is too large to be a .git file");
  const text = readText(path);
  if (text === undefined) return broken("cannot be read");
  if (!text.startsWith(POINTER)) return broken("is not a valid .git file");
  const target = text.slice(POINTER.length).replace(/(?<![\r\n])[\r\n]+$/, "");
  if (target === "") return broken("names no git directory");
  const git = openGitDirectory(pathFrom(dirname(path), target));
  return git === undefined
    ? broken(`points to ${target}, which is not a git directory`)
    : { kind: "file", git };
}

/** What cannot be read, as in a loop of symlinks, is absent to git as well. */
function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** Undefined unless git would take the folder for a git directory: a sound HEAD, objects and refs. */
export function openGitDirectory(path: string): GitDirectory | undefined {
  try {
    if (!hasHead(`${path}/HEAD`)) return undefined;
    const gitDir = realpathSync.native(path);
    const commonDir = commonDirOf(gitDir);
    if (commonDir === undefined) return undefined;
    accessSync(join(commonDir, "objects"), constants.X_OK);
    accessSync(join(commonDir, "refs"), constants.X_OK);
    return { gitDir, commonDir };
  } catch {
    return undefined;
  }
}

const POINTER = "gitdir: ";
const MAX_POINTER_BYTES = 1 << 20;

function commonDirOf(gitDir: string): string | undefined {
  const file = join(gitDir, "commondir");
  if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return gitDir;
  const target = readFileSync(file, "utf8").replace(/(?<![\r\n])[\r\n]+$/, "");
  if (target === "") return undefined;
  return realpathSync.native(pathFrom(gitDir, target));
}

/** Joined but not normalised: behind a symlink, `..` is not the folder that stands before it in the text. */
export const pathFrom = (folder: string, path: string): string =>
  isAbsolute(path) ? path : `${folder}/${path}`;

function hasHead(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return false;
  if (stats.isSymbolicLink()) return readlinkSync(path).startsWith("refs/");
  if (!stats.isFile() || stats.size > MAX_POINTER_BYTES) return false;
  return /^(?:ref:\s*refs\/|[0-9a-f]{40})/i.test(readFileSync(path, "utf8"));
}

/** What a file says; undefined for one that is not there or cannot be read, which is the same to git. */
export function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
