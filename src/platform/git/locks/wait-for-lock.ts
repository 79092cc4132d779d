import { sleep } from "../../index.ts";
import { lockPathIn } from "./git-processes.ts";
import { type LockWatch, watchLock } from "./abandoned-lock.ts";

/** How long another process's lock is waited for: longer than git takes, shorter than a person does. */
export const LOCK_LIMIT_MS = 10_000;

const FIRST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 400;
/** A git that is about to start one that needs the lock has done so by then. */
const SETTLED_MS = 1000;
const LOOK_MS = 20;

/**
 * Waits for a lock that another process holds: each call is one sleep, and the answer is false once it took too long.
 *
 * The pauses are uneven, because two that wait for each other's lock must not stay in step. The watch is started by the
 * first of them: nearly every git command finds its lock free. A lock that a killed git left in a place of Pawl's own
 * is moved aside after a while, and then there is nothing more to wait for.
 */
export function lockWaiter(
  limitMs = LOCK_LIMIT_MS,
  isOwn?: (lock: string) => boolean,
): (said: string) => Promise<boolean> {
  // A git that was killed can leave several locks. Each is found only when the one before is out of the way.
  const witnesses = new Map<string, LockWatch | undefined>();
  let start = 0;
  let pauseMs = FIRST_PAUSE_MS;
  return async (said) => {
    const lock = lockPathIn(said) ?? "";
    if (!witnesses.has(lock)) {
      start = performance.now();
      witnesses.set(lock, watchLock(said, isOwn));
      if (await isOutOfTheWay(witnesses.get(lock), limitMs)) return true;
    } else if (witnesses.get(lock)?.moveIfAbandoned()) return true;
    if (performance.now() - start > limitMs) return false;
    await sleep(pauseMs * (0.5 + Math.random()));
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
    return true;
  };
}

/** Git itself waits long for the lock of a ref, so a lock that may have been left is watched here. */
async function isOutOfTheWay(witness: LockWatch | undefined, limitMs: number): Promise<boolean> {
  if (witness === undefined) return false;
  const end = performance.now() + Math.min(SETTLED_MS, limitMs);
  while (performance.now() < end) {
    if (!witness.stays()) return true;
    await sleep(LOOK_MS);
  }
  return witness.moveIfAbandoned();
}
