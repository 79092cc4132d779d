import * as fs from "node:fs";
import { join } from "node:path";
import { lockPatience } from "../../lock-patience.ts";
import { type ForwardPlace, refLockFile } from "./forward-place.ts";

/** The lock files of git that hold a branch while the files of its checkout change. */
const locksOf = ({ gitDir }: ForwardPlace, commonDir: string, ref: string): readonly string[] => [
  join(gitDir, "ORIG_HEAD.lock"),
  join(gitDir, "HEAD.lock"),
  join(commonDir, `${ref}.lock`),
];

/**
 * Gives the locks a second name of ours, once git has them.
 *
 * A git that is killed together with this process leaves them, and then nobody could tell whose they are.
 */
export function signRefLocks(place: ForwardPlace, commonDir: string, ref: string): void {
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
 * Takes away the locks that a killed call left; those of anybody else stay.
 *
 * A kill before they were signed leaves locks that may be anybody's. In places of Pawl's own they move aside once it is
 * proven that no process holds them: otherwise git would wait for them in vain, each time.
 */
export async function dropRefLocks(place: ForwardPlace, commonDir: string, ref: string): Promise<void> {
  dropSigned(place, commonDir, ref);
  const left = locksOf(place, commonDir, ref).filter((lock) => fs.existsSync(lock));
  await Promise.all(left.map((lock) => lockPatience()(`'${lock}'`)));
}

function dropSigned(place: ForwardPlace, commonDir: string, ref: string): void {
  for (const [number, lock] of locksOf(place, commonDir, ref).entries()) {
    const [one, other] = [lock, refLockFile(place, number)].map((path) =>
      fs.lstatSync(path, { throwIfNoEntry: false, bigint: true }),
    );
    if (one !== undefined && one.ino === other?.ino && one.dev === other.dev)
      fs.rmSync(lock, { force: true });
  }
}
