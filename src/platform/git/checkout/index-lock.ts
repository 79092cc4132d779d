import * as fs from "node:fs";
import { join } from "node:path";
import { heldLockFailure } from "../locks/lock-failure.ts";
import { lockWaiter } from "../locks/wait-for-lock.ts";
import type { CheckoutPaths } from "./checkout-paths.ts";

/**
 * Holds git's lock of a worktree's index, so that no git command changes the index meanwhile.
 *
 * The lock is a second name of a file of ours that stays where it is. So after a kill the lock can be told from any
 * other: as long as both names lead to one file, nobody else made it. A lock of somebody else is waited for and never
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
