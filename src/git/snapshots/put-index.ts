import * as fs from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Failure } from "../../domain/errors.ts";
import { setWrittenAt, type IndexCopy } from "./copy-index.ts";

const PATIENCE_MS = 10_000;

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
  const giveUpAt = performance.now() + PATIENCE_MS;
  for (let waitMs = 10; ; waitMs = Math.min(waitMs * 2, 500)) {
    try {
      fs.linkSync(ours, lock);
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      if (performance.now() > giveUpAt) {
        fs.unlinkSync(ours);
        throw new Failure("git/busy", `Another git command holds ${lock}.`, { lock });
      }
    }
    await sleep(waitMs * (0.5 + Math.random()));
  }
}
