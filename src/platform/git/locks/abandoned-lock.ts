import { existsSync, linkSync, lstatSync, readdirSync, readlinkSync, renameSync, unlinkSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { BRANCH_PREFIX, Failure, LOCK_REASON } from "../../../domain/index.ts";
import { freeName } from "../files/free-name.ts";
import { gitDirOf, gitProcessesNear, lockPathIn } from "./git-processes.ts";
import { readText } from "../repository/git-directory.ts";
import { READY_MARK } from "../worktrees/list-worktrees.ts";

/** Watches a lock while a caller waits for it, and moves it aside once it is proven that no process holds it. */
export interface LockWatch {
  /** Whether it is still the one that was seen first. */
  readonly stays: () => boolean;
  /** True when it is out of the way. */
  readonly moveIfAbandoned: () => boolean;
}

type Hear = (moved: Failure) => void;

let hear: Hear | undefined;

/** Who is to know of locks that were moved; one for the process, as its output is. */
export function onAbandonedLock(listener: Hear | undefined): void {
  hear = listener;
}

/**
 * Undefined for a lock that stays whatever becomes of its owner.
 *
 * Pawl can prove that a lock was left only in places of its own: in the entry of a worktree that Pawl made, or of a ref
 * below `refs/heads/pawl` and `refs/pawl`; or where the caller knows that a git of Pawl's took it. Anywhere else a person's
 * editor or container may be at work, and a person decides. Where this machine cannot list its processes there is no
 * proof, either.
 */
export function watchLock(
  said: string,
  isOwn: (lock: string) => boolean = isInOwnPlace,
): LockWatch | undefined {
  const lock = lockPathIn(said);
  if (lock === undefined || !(isInOwnPlace(lock) || isOwn(lock))) return undefined;
  const first = identityOf(lock);
  const suspects = gitProcessesNear(lock)?.map(({ pid }) => ({ pid, start: startOf(pid) }));
  if (first === undefined || suspects === undefined) return undefined;
  return {
    stays: () => identityOf(lock) === first,
    moveIfAbandoned() {
      // Its holder was running when the lock was first seen. Clocks play no part: they jump.
      const isLeft =
        identityOf(lock) === first &&
        suspects.every(({ pid, start }) => start === undefined || startOf(pid) !== start) &&
        !isOpenSomewhere(lock);
      return isLeft && moveAside(lock, first);
    },
  };
}

function isInOwnPlace(lock: string): boolean {
  const gitDir = gitDirOf(lock);
  const isEntry = basename(dirname(gitDir)) === "worktrees";
  if (isEntry)
    return existsSync(join(gitDir, READY_MARK)) || readText(join(gitDir, "locked"))?.trim() === LOCK_REASON;
  const name = lock.slice(gitDir.length + 1);
  return name.startsWith(`refs/heads/${BRANCH_PREFIX}`) || name.startsWith("refs/pawl/");
}

/** A second name of the same file is how Pawl itself takes a lock, and gives it back. */
function identityOf(lock: string): string | undefined {
  const stat = lstatSync(lock, { throwIfNoEntry: false, bigint: true });
  if (stat === undefined || !stat.isFile() || stat.nlink !== 1n) return undefined;
  return [stat.dev, stat.ino, stat.size, stat.mtimeNs, stat.ctimeNs].join();
}

/** What is seen of a process is gone with it; one that waits to be buried holds nothing any more. */
function startOf(pid: number): string | undefined {
  const stat = readText(`/proc/${pid}/stat`);
  const fields = stat?.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields?.[0] === "Z" ? undefined : fields?.[19];
}

function isOpenSomewhere(lock: string): boolean {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .some((name) => openFiles(name).includes(lock));
}

function openFiles(pid: string): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
      try {
        return [readlinkSync(`/proc/${pid}/fd/${fd}`)];
      } catch {
        return [];
      }
    });
  } catch {
    return [];
  }
}

/** Never removed: what git had written into it may be the only copy of an index. */
function moveAside(lock: string, expected: string): boolean {
  const wanted = join(gitDirOf(lock), `${basename(lock)}.left`);
  const aside = freeName((number) => (number === 1 ? wanted : `${wanted}-${number}`));
  try {
    renameSync(lock, aside);
  } catch {
    return false;
  }
  if (inodeOf(identityOf(aside)) !== inodeOf(expected)) {
    putBack(aside, lock);
    return false;
  }
  const message = `A git command that was killed had left ${lock}; no process holds it, and it is now ${aside}.`;
  hear?.(new Failure("git/lock-left", message, { lock, aside }));
  return true;
}

const inodeOf = (identity: string | undefined): string | undefined => identity?.split(",").slice(0, 2).join();

/** Another process took the lock anew between the check and the move. */
function putBack(aside: string, lock: string): void {
  try {
    linkSync(aside, lock);
    unlinkSync(aside);
  } catch {
    // There is a newer one by now, and this stays beside it.
  }
}
