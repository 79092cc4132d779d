import { readdir, rm } from "node:fs/promises";
import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Failure } from "../../../domain/index.ts";
import type { RunGit } from "../process/run-git.ts";
import { readIndex } from "../index-file/copy-index.ts";
import { ignoresCase, objectFormatOf } from "../snapshots/conversion-settings.ts";
import { type IndexEntry, parseIndex } from "../index-file/parse-index.ts";
import { LONG_CALL_MS } from "../process/long-call.ts";
import { moveAside, rescuedName } from "./move-aside.ts";
import { type BytePath, foldersAbove, fromBytes, onDisk } from "../files/byte-path.ts";
import { moveTree } from "../files/move-tree.ts";
import { canonicalPath, hasPointer, readLine } from "./worktree-entry.ts";

/** Begins the names of clean checkouts. They lie beside the worktrees, so that paths to folders above lead to the same. */
export const CHECK_PREFIX = ".check-";

export interface CleanPlace {
  readonly path: string;
  /** Not among git's worktrees, so no command lists, prunes or cleans it. */
  readonly gitDir: string;
}

export const cleanPlace = (folder: string, commonDir: string, name: string): CleanPlace => ({
  path: join(folder, `${CHECK_PREFIX}${name}`),
  gitDir: join(commonDir, "pawl", "checks", name),
});

export interface CleanCheckoutRequest {
  readonly tree: string;
  /** What `HEAD` is there; undefined where nothing was committed yet. */
  readonly head: string | undefined;
  /** Whether ignored files of earlier checks stay: caches, and what a set-up command installed. */
  readonly keepsIgnored: boolean;
}

/**
 * Brings a checkout of Pawl's own to exactly one tree, and writes only what differs from the last one.
 *
 * Everything in it can be made again, so it is forced there, and made anew where that fails. What Pawl did not make moves
 * beside it.
 */
export async function cleanCheckout(
  run: RunGit,
  commonDir: string,
  place: CleanPlace,
  request: CleanCheckoutRequest,
): Promise<void> {
  refuseElsewhere(place);
  if (isMade(place) && !hidesFiles(place, commonDir)) {
    try {
      await bringTo(run, commonDir, place, request);
      return;
    } catch {
      // A power cut or a check may have broken it.
    }
  }
  dropCheckout(place);
  clearPlace(place);
  make(commonDir, place);
  await bringTo(run, commonDir, place, request);
}

/** Behind a symlink lies a folder of a person's own. */
function refuseElsewhere({ path }: CleanPlace): void {
  const folder = dirname(path);
  if (canonicalPath(folder) === folder) return;
  throw new Failure("worktree/in-the-way", `${folder} leads elsewhere through a symlink.`, { path: folder });
}

/** What lies there is not Pawl's, or cannot be removed: it moves beside the place, whatever it is. */
function clearPlace({ path }: CleanPlace): void {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats?.isDirectory() && !hasPointer(path)) moveAside(path);
  else if (stats !== undefined) moveTree(path, rescuedName(path));
}

/**
 * Removes a checkout that Pawl made, and leaves anything else in its place alone.
 *
 * The file that says it is Pawl's goes last, so that a removal cut short is continued by the next one.
 */
export function dropCheckout(place: CleanPlace): void {
  const { path, gitDir } = place;
  if (isOurs(place)) {
    const others = readdirSync(path).filter((name) => name !== ".git");
    for (const name of others) removeTree(join(path, name));
    removeTree(path);
  }
  removeTree(gitDir);
}

/** Checks leave folders that may not be written to, as caches of packages are. What stays all the same is cleared later. */
function removeTree(path: string): void {
  const remove = () => rmSync(path, { recursive: true, force: true });
  try {
    remove();
  } catch {
    try {
      makeWritable(path);
      remove();
    } catch {
      // It belongs to another user, or is a mount.
    }
  }
}

function makeWritable(folder: string): void {
  if (!lstatSync(folder).isDirectory()) return;
  chmodSync(folder, 0o700);
  for (const name of readdirSync(folder)) makeWritable(join(folder, name));
}

/** Whether a check has asked git not to look at files: git would leave them as the check made them. */
function hidesFiles({ gitDir }: CleanPlace, commonDir: string): boolean {
  if (!existsSync(join(gitDir, "index"))) return false;
  return entriesOf(commonDir, gitDir)?.every(({ unwatched }) => unwatched === undefined) !== true;
}

/** Undefined where only git can read it, or where there is none. */
function entriesOf(commonDir: string, gitDir: string): readonly IndexEntry[] | undefined {
  const bytes = readIndex(gitDir)?.bytes;
  return bytes && parseIndex(bytes, objectFormatOf(commonDir) === "sha256" ? 32 : 20);
}

const isMade = (place: CleanPlace): boolean => isOurs(place) && existsSync(join(place.gitDir, "commondir"));

const isOurs = ({ path, gitDir }: CleanPlace): boolean =>
  lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true &&
  readLine(join(path, ".git")) === `gitdir: ${gitDir}`;

function make(commonDir: string, { path, gitDir }: CleanPlace): void {
  mkdirSync(path, { recursive: true });
  mkdirSync(gitDir, { recursive: true });
  writeFileSync(join(gitDir, "commondir"), `${commonDir}\n`);
  writeFileSync(join(gitDir, "gitdir"), `${join(path, ".git")}\n`);
  writeFileSync(join(gitDir, "HEAD"), UNBORN);
  writeFileSync(join(path, ".git"), `gitdir: ${gitDir}\n`);
}

const UNBORN = "ref: refs/heads/pawl-nothing-committed-yet\n";

async function bringTo(
  run: RunGit,
  commonDir: string,
  { path, gitDir }: CleanPlace,
  { tree, head, keepsIgnored }: CleanCheckoutRequest,
): Promise<void> {
  // Left by a git that was killed: nothing else works here.
  rmSync(join(gitDir, "index.lock"), { force: true });
  writeFileSync(join(gitDir, "HEAD"), head === undefined ? UNBORN : `${head}\n`);
  const here = {
    access: "write",
    worktree: path,
    fsync: "none",
    config: WHOLE,
    timeoutMs: LONG_CALL_MS,
  } as const;
  await run({ ...here, args: ["read-tree", "--reset", "-u", tree] });
  if (keepsIgnored || !(await clearOthers(commonDir, { path, gitDir })))
    await run({ ...here, args: ["clean", "-ffdq", ...(keepsIgnored ? [] : ["-x"])] });
}

/** More is left to git, which is faster then. */
const MOST_FILES = 20_000;

/** Removes what the index does not name, as `git clean` would; false where git must do it. */
async function clearOthers(commonDir: string, { path, gitDir }: CleanPlace): Promise<boolean> {
  // Where case does not count, a file can lie under another spelling than its name in the index.
  const entries =
    process.platform === "linux" && !ignoresCase(commonDir) ? entriesOf(commonDir, gitDir) : undefined;
  if (entries === undefined || entries.length > MOST_FILES) return false;
  const files = new Set(entries.map((entry) => entry.path));
  const folders = new Set(entries.flatMap((entry) => foldersAbove(entry.path)));
  await clearFolder("", { path, files, folders });
  return true;
}

interface Kept {
  readonly path: string;
  readonly files: ReadonlySet<BytePath>;
  readonly folders: ReadonlySet<BytePath>;
}

async function clearFolder(folder: BytePath, kept: Kept): Promise<void> {
  const at = folder === "" ? Buffer.from(kept.path) : onDisk(kept.path, folder);
  for (const entry of await readdir(at, { withFileTypes: true, encoding: "buffer" })) {
    const name = folder === "" ? fromBytes(entry.name) : `${folder}/${fromBytes(entry.name)}`;
    if (name === ".git" || kept.files.has(name)) continue;
    if (entry.isDirectory() && kept.folders.has(name)) await clearFolder(name, kept);
    else await rm(onDisk(kept.path, name), { recursive: true });
  }
}

/** Every file, as it is in the tree, and seen by git itself. */
const WHOLE = new Map([
  ["core.fsmonitor", "false"],
  ["core.untrackedCache", "false"],
  ["core.sparseCheckout", "false"],
  ["core.splitIndex", "false"],
  ["index.sparse", "false"],
  ["core.hooksPath", "/dev/null"],
  ["clean.requireForce", "false"],
]);
