import { existsSync, lstatSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import type { Locks } from "../../ports/locks.ts";

/** Where a new configuration is written whole, and git's lock that it becomes then, as a second name of the same file. */
export const configLock = (commonDir: string): { readonly draft: string; readonly lock: string } => ({
  draft: join(commonDir, "config.pawl"),
  lock: join(commonDir, "config.lock"),
});

/**
 * Frees git's lock of the configuration when a killed Pawl left it; true when there was one.
 *
 * The caller holds the lock `worktrees`, under which alone Pawl writes the configuration itself: so nobody is at it.
 */
export function dropOwnConfigLock(commonDir: string): boolean {
  const { draft, lock } = configLock(commonDir);
  const left = lstatSync(draft, { throwIfNoEntry: false, bigint: true });
  if (left === undefined) return false;
  const held = lstatSync(lock, { throwIfNoEntry: false, bigint: true });
  // Only while the two names are one file: a lock of somebody else's stays.
  const isOurs = held?.ino === left.ino && held.dev === left.dev;
  if (isOurs) unlinkSync(lock);
  // Never written to: it may be a second name of the configuration itself, when the call died after all was done.
  unlinkSync(draft);
  return isOurs;
}

/** The same for callers that hold nothing, before they have git write the configuration. */
export async function freeConfigLock(commonDir: string, locks: () => Promise<Locks>): Promise<boolean> {
  if (!existsSync(configLock(commonDir).draft)) return false;
  // Somebody who is just writing is waited for, and has taken the draft away by then.
  return (await locks()).during("worktrees", async () => dropOwnConfigLock(commonDir));
}
