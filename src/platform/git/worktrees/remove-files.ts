import { chmodSync, lstatSync, realpathSync, rmdirSync, statSync, unlinkSync } from "node:fs";
import type { FileListFolder, FileList } from "../../ports/worktrees.ts";
import { type BytePath, onDisk } from "../files/byte-path.ts";
import { isUnchanged } from "./list-files.ts";

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

/** A link that somebody put in place of a folder leads to files that are not the worktree's any more. */
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
