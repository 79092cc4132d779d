import * as fs from "node:fs";
import { join } from "node:path";
import { LOCK_LIMIT_MS, lockWaiter } from "../locks/wait-for-lock.ts";
import { readText } from "../repository/read-text.ts";
import { type CheckoutPaths, intentFile, refLockFile } from "./checkout-paths.ts";
import type { Intent } from "./intent.ts";

/** The lock files of git that hold a branch while the files of its checkout change. */
const locksOf = ({ gitDir }: CheckoutPaths, commonDir: string, ref: string): readonly string[] => [
  join(gitDir, "ORIG_HEAD.lock"),
  join(gitDir, "HEAD.lock"),
  join(commonDir, `${ref}.lock`),
];

/**
 * Gives the locks a second name of ours, once git has them.
 *
 * A git that is killed together with this process leaves them, and then nothing says whose they are.
 */
export function signRefLocks(place: CheckoutPaths, commonDir: string, ref: string): void {
  for (const [number, lock] of locksOf(place, commonDir, ref).entries()) {
    fs.rmSync(refLockFile(place, number), { force: true });
    try {
      fs.linkSync(lock, refLockFile(place, number));
    } catch {
      // Git takes no more of them than it needs, and not every file system has second names.
    }
  }
}

/**
 * Takes away the locks that a killed call left; those of other programs stay.
 *
 * A kill before they were signed leaves locks that may be of any program. Those of Pawl's git, by their place or by what they
 * say, move aside once it is proven that no process holds them: otherwise git would wait for them in vain, each time.
 */
export async function dropRefLocks(place: CheckoutPaths, commonDir: string, intent: Intent): Promise<void> {
  dropSigned(place, commonDir, intent.ref);
  const left = locksOf(place, commonDir, intent.ref).filter((lock) => fs.existsSync(lock));
  const isOwn = (lock: string) => isOfIntent(place, intent, lock);
  await Promise.all(left.map((lock) => lockWaiter(LOCK_LIMIT_MS, isOwn)(`'${lock}'`)));
}

/** Whether a lock was taken after the move was written down, and says nothing but what the move would write. */
function isOfIntent(place: CheckoutPaths, { from, to }: Intent, lock: string): boolean {
  const [written, taken] = [intentFile(place), lock].map(
    (path) => fs.statSync(path, { throwIfNoEntry: false })?.mtimeMs,
  );
  if (written === undefined || taken === undefined || taken < written) return false;
  return ["", from, to].includes(readText(lock)?.trim() ?? "?");
}

function dropSigned(place: CheckoutPaths, commonDir: string, ref: string): void {
  for (const [number, lock] of locksOf(place, commonDir, ref).entries()) {
    const [one, other] = [lock, refLockFile(place, number)].map((path) =>
      fs.lstatSync(path, { throwIfNoEntry: false, bigint: true }),
    );
    if (one !== undefined && one.ino === other?.ino && one.dev === other.dev)
      fs.rmSync(lock, { force: true });
  }
}
