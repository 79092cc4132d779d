import {
  type BigIntStats,
  chmodSync,
  lstatSync,
  readdirSync,
  realpathSync,
  rmdirSync,
  statSync,
  unlinkSync,
} from "node:fs";
import { type BytePath, fromBytes, onDisk, shown } from "../files/byte-path.ts";
import type { FileList, FileListEntry, FileListFolder } from "../../ports/index.ts";

/**
 * Notes every file of a worktree by what shows that it was touched, and finds the repositories inside.
 *
 * The list is made before anything is saved. A file that is still as it says when everything is saved was saved as it
 * is, so it may go; any other is unknown.
 */
export function listFiles(top: string): FileList {
  const repositories: string[] = [];
  const folders: FileListFolder[] = [];
  const open: BytePath[] = [""];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    const files = new Map<BytePath, FileListEntry>();
    folders.push({ path: folder, files });
    for (const entry of readdirSync(onDisk(top, folder), { withFileTypes: true, encoding: "buffer" })) {
      const name = fromBytes(entry.name);
      const path = folder === "" ? name : `${folder}/${name}`;
      if (name === ".git" && folder === "") continue;
      if (name === ".git") repositories.push(shown(folder));
      if (entry.isDirectory()) open.push(path);
      else addFile(files, name, lstatSync(onDisk(top, path), { throwIfNoEntry: false, bigint: true }));
    }
  }
  return { repositories: repositories.toSorted(), folders };
}

/** One that went, or became a folder, since its name was read is not seen: whatever is there later stays. */
function addFile(files: Map<BytePath, FileListEntry>, name: BytePath, stats: BigIntStats | undefined): void {
  if (stats !== undefined && !stats.isDirectory()) files.set(name, seenFile(stats));
}

/** Of a file with several names the time of the change also tells that another name went, as in this very removal. */
const seenFile = (stats: BigIntStats): FileListEntry => ({
  stamp: stampOf(stats),
  changedAtNs: stats.nlink === 1n ? stats.ctimeNs : undefined,
});

const stampOf = ({ dev, ino, mode, size, mtimeNs }: BigIntStats): string =>
  `${dev}:${ino}:${mode}:${size}:${mtimeNs}`;

const isUnchanged = ({ stamp, changedAtNs }: FileListEntry, now: BigIntStats): boolean =>
  stamp === stampOf(now) && (changedAtNs === undefined || changedAtNs === now.ctimeNs);

/**
 * Removes the listed files that are as they were, and the folders that are empty then, but for the top and its
 * `.git`. Whatever is new, or changed since, stays where it is; so does what the system does not let go.
 */
export function removeListed(top: string, { folders }: FileList): void {
  // A folder comes after those above it, so backwards it comes before them.
  for (const folder of folders.toReversed()) {
    if (!isItself(top, folder.path)) continue;
    removeFiles(top, folder);
    if (folder.path !== "") removeFolder(top, folder.path);
  }
}

/** A link that was put in place of a folder leads to files that are not the worktree's any more. */
function isItself(top: string, folder: BytePath): boolean {
  const path = pathOf(top, folder);
  try {
    return realpathSync.native(path, "buffer").equals(path);
  } catch {
    return false;
  }
}

function removeFiles(top: string, { path: folder, files }: FileListFolder): void {
  for (const [name, seen] of files) {
    const path = onDisk(top, folder === "" ? name : `${folder}/${name}`);
    leniently(pathOf(top, folder), () => {
      const now = lstatSync(path, { throwIfNoEntry: false, bigint: true });
      if (now !== undefined && isUnchanged(seen, now)) unlinkSync(path);
    });
  }
}

function removeFolder(top: string, folder: BytePath): void {
  const end = folder.lastIndexOf("/");
  leniently(pathOf(top, end === -1 ? "" : folder.slice(0, end)), () => rmdirSync(onDisk(top, folder)));
}

/** Read-only folders, as some package managers make them, are opened for their owner. */
function leniently(folder: Buffer, act: () => void): void {
  try {
    act();
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    if (error.code !== "EACCES" || !isOpened(folder)) return;
    leniently(folder, act);
  }
}

/** Whether the owner could not write there, and can now. */
function isOpened(folder: Buffer): boolean {
  try {
    const { mode } = statSync(folder);
    if ((mode & OWN) === OWN) return false;
    chmodSync(folder, (mode & 0o7777) | OWN);
    return true;
  } catch {
    return false;
  }
}

const OWN = 0o700;

const pathOf = (top: string, folder: BytePath): Buffer =>
  folder === "" ? Buffer.from(top) : onDisk(top, folder);

/** Adds up the files of a worktree, leaving out what belongs to git. */
export function folderBytes(top: string): number {
  let bytes = 0;
  const open: BytePath[] = [""];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    for (const entry of readdirSync(onDisk(top, folder), { withFileTypes: true, encoding: "buffer" })) {
      const name = fromBytes(entry.name);
      const path = folder === "" ? name : `${folder}/${name}`;
      if (name === ".git") continue;
      if (entry.isDirectory()) open.push(path);
      else bytes += lstatSync(onDisk(top, path), { throwIfNoEntry: false })?.size ?? 0;
    }
  }
  return bytes;
}
