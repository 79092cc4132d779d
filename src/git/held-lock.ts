import { readdirSync, readlinkSync, statSync } from "node:fs";
import { basename, dirname, join, sep } from "node:path";
import { Failure } from "../domain/errors.ts";
import { toInstant } from "../domain/instant.ts";
import { shellWord } from "../domain/shell-word.ts";
import { LOCK_LIMIT_MS } from "./lock-patience.ts";
import { textOf } from "./text-of.ts";

/**
 * What git says when another command is in its way: one that holds the lock of the index, of a ref or of the
 * configuration, or a `git gc` that took away an empty folder of objects just before git put one there.
 */
const LOCKED =
  /\.lock': File exists|could not lock config file|index\.lock|unable to write file .*objects.*: No such file/;

/** The line in which a git that failed complains about a lock, of all that it said. */
export function lockLineOf(error: unknown): string | undefined {
  if (!(error instanceof Failure) || error.problem !== "git/failed") return undefined;
  const lines = error.details["stderr"];
  return Array.isArray(lines) ? lines.map(String).find((line) => LOCKED.test(line)) : undefined;
}

/**
 * A lock that stayed: which one, since when, and who may hold it.
 *
 * Git writes no name into its locks. What can be told is which git commands run in the repository now; when there is
 * none, the lock was left by one that was killed, or belongs to a program that this machine does not see. It is never
 * removed here, however old: its owner may be a slow hook, an editor, or a container.
 */
export function heldLock(said: string, cause?: unknown, limitMs = LOCK_LIMIT_MS): Failure {
  const lock = pathIn(said);
  if (lock === undefined) {
    const words = said.replace(/^(?:fatal|error): /, "");
    const message = `Another git command held its lock for ${limitMs / 1000} s: ${words}`;
    return new Failure("git/busy", message, { lock: null }, { cause });
  }
  const since = sinceOf(lock);
  const holders = gitsNear(lock);
  const waited = `Another git command holds ${lock}${since === undefined ? "" : `, since ${since}`}.`;
  const who =
    holders === undefined
      ? ""
      : holders.length > 0
        ? ` At work there: ${holders.map(({ pid, command }) => `${command} (process ${pid})`).join(", ")}.`
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

/** Of the configuration git names the file and not its lock; one that is named from elsewhere cannot be looked at. */
function pathIn(said: string): string | undefined {
  const config = /could not lock config file (\/.+?)(?:: File exists)?$/.exec(said)?.[1];
  return config === undefined ? /'([^']+\.lock)'/.exec(said)?.[1] : `${config}.lock`;
}

function sinceOf(lock: string): string | undefined {
  const stats = statSync(lock, { throwIfNoEntry: false });
  return stats && toInstant(stats.mtimeMs);
}

interface Holder {
  readonly pid: number;
  readonly command: string;
}

/** Git commands at work in the repository that a lock is of; undefined where the system does not tell. */
function gitsNear(lock: string): readonly Holder[] | undefined {
  const places = placesOf(lock);
  try {
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => holderIn(Number(name), places));
  } catch {
    return undefined;
  }
}

/** The git directory, and the folder that it is of: a linked worktree says where that is. */
function placesOf(lock: string): readonly string[] {
  const gitDir = gitDirOf(lock);
  const linked = textOf(join(gitDir, "gitdir"))?.trim();
  return [gitDir, dirname(linked ?? gitDir)];
}

function gitDirOf(lock: string): string {
  const refs = lock.lastIndexOf(`${sep}refs${sep}`);
  return refs === -1 ? dirname(lock) : lock.slice(0, refs);
}

function holderIn(pid: number, places: readonly string[]): readonly Holder[] {
  const [program = "", ...args] = textOf(`/proc/${pid}/cmdline`)?.split("\0") ?? [];
  if (!/^git(?:-|$)/.test(basename(program))) return [];
  const cwd = linkOf(`/proc/${pid}/cwd`);
  const isNear = places.some((place) => cwd === place || cwd?.startsWith(`${place}${sep}`));
  const verb = args.find((arg, index) => /^[a-z][a-z-]*$/.test(arg) && args[index - 1] !== "-c");
  return isNear ? [{ pid, command: verb === undefined ? "git" : `git ${verb}` }] : [];
}

function linkOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}
