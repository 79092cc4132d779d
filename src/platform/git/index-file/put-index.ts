import * as fs from "node:fs";
import { join } from "node:path";
import { heldLockFailure } from "../locks/lock-failure.ts";
import { lockWaiter } from "../locks/wait-for-lock.ts";
import { setWrittenAt, type IndexCopy } from "./copy-index.ts";

/**
 * Makes saved bytes the index of a worktree, under git's own lock.
 *
 * The lock is made whole, as a second name of a finished file, and becomes the index by a rename. A kill in between
 * leaves a lock that is the same file as ours: the next call knows it by that and finishes it. A lock of anybody else
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
