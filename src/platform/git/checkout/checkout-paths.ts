import * as fs from "node:fs";
import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { type BytePath, onDisk } from "../files/byte-path.ts";
import { nodeCrypto } from "../../index.ts";

/** Where a checkout is that is brought forward, and where things wait meanwhile. */
export interface CheckoutPaths {
  /** Top level of the worktree. */
  readonly top: string;
  /** Git's directory of this worktree. */
  readonly gitDir: string;
  /** Ours: the intent, the new index and the file behind the lock. */
  readonly folder: string;
  /** Ours: new files before and old files after they change places, on the file system of the worktree. */
  readonly trees: string;
}

export function checkoutPaths(top: string, gitDir: string): CheckoutPaths {
  const folder = join(gitDir, NAME);
  const isOneDisk = fs.statSync(top).dev === fs.statSync(gitDir).dev;
  return { top, gitDir, folder, trees: isOneDisk ? join(folder, "trees") : join(top, `.${NAME}`) };
}

const NAME = "pawl-forward";

export const intentFile = ({ folder }: CheckoutPaths): string => join(folder, "intent.json");

/** The intent with all that it comes to; without `intentFile` it means nothing. */
export const changesFile = ({ folder }: CheckoutPaths): string => join(folder, "changes.json");

/** By process: a git that outlives its killed parent may still write to the one before, and leaves its lock there. */
export const ownIndex = ({ folder }: CheckoutPaths): string => join(folder, `index-${process.pid}`);

/** A second name of a lock of git's. */
export const refLockFile = ({ folder }: CheckoutPaths, number: number): string =>
  join(folder, `ref-lock-${number}`);

/** What the index became when the new files were written. */
export const rehearsedIndex = ({ folder }: CheckoutPaths): string => join(folder, "index-rehearsed");

/** The index as it was before it was replaced. */
export const oldIndex = ({ folder }: CheckoutPaths): string => join(folder, "index-before");

export const newTree = ({ trees }: CheckoutPaths): string => join(trees, "new");

export const newFile = (place: CheckoutPaths, path: BytePath): Buffer => onDisk(newTree(place), path);

/** By number: a name of its own whatever the path is. */
export const oldFile = ({ trees }: CheckoutPaths, number: number): string => join(trees, "old", `${number}`);

/** Holds the commit that no branch has yet, for as long as the intent is there; each checkout has its own. */
export const holdingRef = ({ gitDir }: CheckoutPaths): string =>
  `refs/pawl/forward/${nodeCrypto().createHash("sha256").update(gitDir).digest("hex").slice(0, 16)}`;

export function makeCheckoutFolders(place: CheckoutPaths): void {
  clearFolders(place);
  fs.mkdirSync(place.folder, { recursive: true, mode: 0o700 });
  fs.mkdirSync(join(place.trees, "old"), { recursive: true, mode: 0o700 });
  fs.mkdirSync(newTree(place), { mode: 0o700 });
  // In a checkout the folder keeps itself out of everybody's `git status`.
  if (!place.trees.startsWith(place.folder)) fs.writeFileSync(join(place.trees, ".gitignore"), "*\n");
}

/** The intent goes first: without it nothing in here means anything. */
export function clearFolders(place: CheckoutPaths): void {
  fs.rmSync(intentFile(place), { force: true });
  removeFolder(place.trees);
  removeFolder(place.folder);
}

/**
 * Moved away before it is removed: a git that outlives its killed parent keeps writing where it is, which is then
 * elsewhere. What it fills faster than it can be emptied goes the next time.
 */
function removeFolder(folder: string): void {
  const away = awayFrom(folder);
  if (fs.existsSync(folder))
    fs.renameSync(folder, join(dirname(folder), `${away}${nodeCrypto().randomUUID()}`));
  if (!fs.existsSync(dirname(folder))) return;
  for (const name of fs.readdirSync(dirname(folder)).filter((one) => one.startsWith(away)))
    try {
      fs.rmSync(join(dirname(folder), name), { recursive: true, force: true });
    } catch {
      // It is out of the way.
    }
}

const awayFrom = (folder: string): string => `${basename(folder)}-gone-`;

/** Whether anything of a call is left, be it only what was moved away to be removed. */
const hasFolders = ({ folder, trees }: CheckoutPaths): boolean =>
  [folder, trees].some(
    (one) =>
      fs.existsSync(one) ||
      (fs.existsSync(dirname(one)) &&
        fs.readdirSync(dirname(one)).some((name) => name.startsWith(awayFrom(one)))),
  );

/** What stands at a path of the checkout itself: nothing does where a folder above is a symlink or a file. */
export function statIn(top: string, path: BytePath): fs.BigIntStats | undefined {
  let end = path.indexOf("/");
  for (; end !== -1; end = path.indexOf("/", end + 1)) {
    const folder = fs.lstatSync(onDisk(top, path.slice(0, end)), { throwIfNoEntry: false });
    if (!folder?.isDirectory()) return undefined;
  }
  return fs.lstatSync(onDisk(top, path), { throwIfNoEntry: false, bigint: true });
}

/** Another one whenever the file was written or replaced. */
export const markOf = (stat: fs.BigIntStats | undefined): string =>
  stat === undefined ? "nothing" : `${stat.ino} ${stat.size} ${stat.mtimeNs} ${stat.mode}`;

/** Whether a call left anything at all: one that was killed before it began, or after it was done, or that still runs. */
export const hasLeftovers = ({ path, gitDir }: { readonly path: string; readonly gitDir: string }): boolean =>
  existsSync(path) && hasFolders(checkoutPaths(path, gitDir));

/** Whether a killed call left something to go on with. */
export const isUnfinished = ({ path, gitDir }: { readonly path: string; readonly gitDir: string }): boolean =>
  existsSync(path) && existsSync(intentFile(checkoutPaths(path, gitDir)));
