import { statSync } from "node:fs";
import { basename, join } from "node:path";
import { Failure, shellWord, toInstant } from "../../../domain/index.ts";
import { gitDirOf, gitProcessesNear, lockPathIn } from "./git-processes.ts";
import { LOCK_LIMIT_MS } from "./wait-for-lock.ts";

/**
 * What git says when another command is in its way: one that holds the lock of the index, of a ref or of the
 * configuration, or a `git gc` that took away an empty folder of objects just before git put one there.
 */
const LOCKED =
  /\.lock': File exists|could not lock config file|index\.lock|^error: unable to write file (?=.*objects).*: No such file/m;

/** The line in which a git that failed complains about a lock, of all that it said. */
export function lockComplaint(error: unknown): string | undefined {
  if (!(error instanceof Failure) || error.problem !== "git/failed") return undefined;
  const lines = error.details["stderr"];
  return Array.isArray(lines) ? lines.map(String).find((line) => LOCKED.test(line)) : undefined;
}

/**
 * A lock that stayed: which one, since when, and who may hold it.
 *
 * Git writes no name into its locks. What Pawl can find out is which git commands run in the repository now; when there is
 * none, the lock was left by one that was killed, or belongs to a program that this machine does not see. What could not
 * be proven to be left in a place of Pawl's own stays, however old: its owner may be a slow hook, an editor, or a container.
 */
export function heldLockFailure(said: string, cause?: unknown, limitMs = LOCK_LIMIT_MS): Failure {
  const lock = lockPathIn(said);
  if (lock === undefined) {
    const words = said.replace(/^(?:fatal|error): /, "");
    const message = `Another git command held its lock for ${limitMs / 1000} s: ${words}`;
    return new Failure("git/busy", message, { lock: null }, { cause });
  }
  const since = sinceOf(lock);
  const holders = gitProcessesNear(lock)
    ?.filter(({ isSure }) => isSure)
    .map(({ pid, command }) => ({ pid, command }));
  const waited = `Another git command holds ${lock}${since === undefined ? "" : `, since ${since}`}.`;
  const who =
    holders === undefined
      ? ""
      : holders.length > 0
        ? ` Running there: ${holders.map(({ pid, command }) => `${command} (process ${pid})`).join(", ")}.`
        : " No git command runs in this repository: one that was killed has left it, or it is of another machine or container.";
  return new Failure(
    "git/busy",
    `${waited}${who}`,
    { lock, since: since ?? null, holders: holders ?? null },
    { cause, ...(holders?.length === 0 ? { hint: hintFor(lock) } : {}) },
  );
}

/** Moved out of `refs` too: beside its ref it would be taken for another one. */
function hintFor(lock: string): string {
  const aside = join(gitDirOf(lock), `${basename(lock)}.left`);
  return `A person looks whether an editor, a hook or a container works in the repository, and if none does: mv -n ${shellWord(lock)} ${shellWord(aside)}; then run the command again.`;
}

function sinceOf(lock: string): string | undefined {
  const stats = statSync(lock, { throwIfNoEntry: false });
  return stats && toInstant(stats.mtimeMs);
}
