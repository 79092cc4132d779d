import * as fs from "node:fs";
import { join } from "node:path";
import { type CheckoutPaths, intentFile, refLockFile } from "./checkout-paths.ts";
import type { Intent } from "./intent.ts";
import { heldLockFailure } from "../locks/lock-failure.ts";
import { LOCK_LIMIT_MS, lockWaiter } from "../locks/wait-for-lock.ts";
import { readText } from "../repository/git-directory.ts";

/**
 * Holds git's lock of a worktree's index, so that no git command changes the index meanwhile.
 *
 * The lock is a second name of a file of ours that stays where it is. So after a kill the lock can be distinguished from any
 * other: as long as both names lead to one file, no other process made it. Another process's lock is waited for and never
 * removed.
 */
export async function duringIndexLock<T>(place: CheckoutPaths, work: () => Promise<T>): Promise<T> {
  await take(place);
  try {
    return await work();
  } finally {
    dropIndexLock(place);
  }
}

/** Takes away a lock that is ours, also one that a killed process left. */
export function dropIndexLock(place: CheckoutPaths): void {
  if (isOurs(place)) fs.rmSync(lockOf(place), { force: true });
}

const lockOf = ({ gitDir }: CheckoutPaths): string => join(gitDir, "index.lock");

const ownName = ({ folder }: CheckoutPaths): string => join(folder, "lock");

function isOurs(place: CheckoutPaths): boolean {
  const [one, other] = [lockOf(place), ownName(place)].map((path) =>
    fs.lstatSync(path, { throwIfNoEntry: false, bigint: true }),
  );
  return one !== undefined && other !== undefined && one.ino === other.ino && one.dev === other.dev;
}

async function take(place: CheckoutPaths): Promise<void> {
  if (isOurs(place)) return;
  fs.writeFileSync(ownName(place), "");
  const wait = lockWaiter();
  const said = `'${lockOf(place)}'`;
  while (!tryLink(place)) if (!(await wait(said))) throw heldLockFailure(said);
}

function tryLink(place: CheckoutPaths): boolean {
  try {
    fs.linkSync(ownName(place), lockOf(place));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

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
