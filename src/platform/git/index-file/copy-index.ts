import * as fs from "node:fs";
import { join } from "node:path";
import { heldLockFailure } from "../locks/lock-failure.ts";
import { lockWaiter } from "../locks/wait-for-lock.ts";

/** The index of a worktree as it was at one moment. */
export interface IndexCopy {
  readonly bytes: Buffer;
  /** When it was last written, in microseconds, rounded down. */
  readonly writtenAtUs: number;
}

/**
 * Copies the index of a worktree to `index` in a folder of ours; undefined when there is none yet.
 *
 * A file that changed in the very tick in which the index was written looks unchanged by its times; git knows by the
 * time of the index that it must look closer. So a copy must never look newer than the original.
 */
export function copyIndex(gitDir: string, folder: string): IndexCopy | undefined {
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  const copy = readIndex(gitDir);
  if (copy === undefined) return undefined;
  const path = join(folder, "index");
  fs.writeFileSync(path, copy.bytes, { flag: "wx", mode: 0o600 });
  setWrittenAt(path, copy.writtenAtUs);
  return copy;
}

/** The same in memory. */
export function readIndex(gitDir: string): IndexCopy | undefined {
  let fd: number;
  try {
    fd = fs.openSync(join(gitDir, "index"), fs.constants.O_RDONLY);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  try {
    const { mtimeNs } = fs.fstatSync(fd, { bigint: true });
    return { bytes: fs.readFileSync(fd), writtenAtUs: Number(mtimeNs / 1000n) - 1 };
  } finally {
    fs.closeSync(fd);
  }
}

function setWrittenAt(path: string, us: number): void {
  fs.utimesSync(path, us / 1e6, us / 1e6);
}

/**
 * Makes saved bytes the index of a worktree, under git's own lock.
 *
 * The lock is made whole, as a second name of a finished file, and becomes the index by a rename. A kill in between
 * leaves a lock that is the same file as ours: the next call knows it by that and finishes it. Another process's lock
 * is waited for, and never removed.
 */
export async function putIndex(gitDir: string, index: IndexCopy): Promise<void> {
  const [path, lock, ours] = [join(gitDir, "index"), join(gitDir, "index.lock"), join(gitDir, "pawl-index")];
  finishEarlier(lock, path, ours);
  fs.writeFileSync(ours, index.bytes, { flag: "wx", flush: true });
  setWrittenAt(ours, index.writtenAtUs);
  await takeLock(ours, lock);
  fs.renameSync(lock, path);
  fs.unlinkSync(ours);
}

function finishEarlier(lock: string, path: string, ours: string): void {
  const mine = fs.lstatSync(ours, { throwIfNoEntry: false });
  if (mine === undefined) return;
  const locked = fs.lstatSync(lock, { throwIfNoEntry: false });
  if (locked?.ino === mine.ino && locked.dev === mine.dev) fs.renameSync(lock, path);
  fs.unlinkSync(ours);
}

async function takeLock(ours: string, lock: string): Promise<void> {
  const wait = lockWaiter();
  for (;;) {
    try {
      fs.linkSync(ours, lock);
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      if (await wait(`'${lock}'`)) continue;
      fs.unlinkSync(ours);
      throw heldLockFailure(`'${lock}'`, error);
    }
  }
}
