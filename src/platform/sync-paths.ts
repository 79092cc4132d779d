import { spawn } from "node:child_process";
import { closeSync, constants, fsync, fsyncSync, lstatSync, openSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** Up to here one call for each is cheaper than one for the whole file system: 1 ms each against 10 to 40 ms. */
export const FEW = 16;

/**
 * Brings files and folders to the disk, all on the file system of `pathFor`, a folder.
 *
 * What is gone by now needs no flush, and a link has no bytes of its own.
 */
export async function syncPaths(place: string, paths: Iterable<string | Uint8Array>): Promise<void> {
  const all = [...paths];
  if (all.length > FEW && (await syncDisks([place]))) return;
  // Side by side: a file system that keeps a journal writes it once for all of them, and other workers move meanwhile.
  await Promise.all(all.map(syncSoon));
}

/** Brings everything below some folders to the disk. */
export async function syncTrees(folders: readonly string[]): Promise<void> {
  if (await syncDisks(folders)) return;
  for (const folder of folders) syncBelow(folder);
}

/**
 * Flushes whole file systems at once, as Node has no `syncfs`; false where the system has no program for it.
 *
 * Only Linux has a `sync` that names file systems, and waits. Elsewhere all of them are asked to write, and the flush of
 * the folders that follows reaches the disk itself.
 */
async function syncDisks(folders: readonly string[]): Promise<boolean> {
  if (process.platform === "linux" && (await ranSync(["-f", "--", ...folders]))) return true;
  if (!(await ranSync([]))) return false;
  for (const folder of folders) syncIfThere(folder);
  return true;
}

const ranSync = (args: readonly string[]): Promise<boolean> =>
  new Promise((settle) => {
    // In a group of its own: an interrupt from the terminal must not end it half way.
    const child = spawn("sync", args, { stdio: "ignore", detached: true });
    child.on("error", () => settle(false));
    child.on("close", (code) => settle(code === 0));
  });

function syncBelow(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) syncBelow(join(folder, entry.name));
    else if (entry.isFile()) syncIfThere(join(folder, entry.name));
  }
  syncIfThere(folder);
}

const GONE: ReadonlySet<string | undefined> = new Set(["ENOENT", "ENOTDIR", "ELOOP"]);

function openIfThere(name: string | Uint8Array): number | undefined {
  const path = name as string | Buffer;
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // A file that its owner may not read was not written by this process.
    if (GONE.has(code) || (code === "EACCES" && lstatSync(path, { throwIfNoEntry: false }))) return undefined;
    throw error;
  }
}

function syncIfThere(name: string | Uint8Array): void {
  const fd = openIfThere(name);
  if (fd === undefined) return;
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

const syncSoon = (name: string | Uint8Array): Promise<void> =>
  new Promise((settle, fail) => {
    const fd = openIfThere(name);
    if (fd === undefined) return settle();
    fsync(fd, (error) => {
      closeSync(fd);
      if (error) fail(error);
      else settle();
    });
  });
