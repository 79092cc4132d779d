import { readdirSync, readlinkSync } from "node:fs";
import { basename, dirname, join, sep } from "node:path";
import { readText } from "../repository/git-directory.ts";

/** Of the configuration git names the file and not its lock; one that is named from elsewhere cannot be checked. */
export function lockPathIn(said: string): string | undefined {
  const config = /could not lock config file (\/.+?)(?:: File exists)?$/.exec(said)?.[1];
  return config === undefined ? /'([^']+\.lock)'/.exec(said)?.[1] : `${config}.lock`;
}

export interface GitProcess {
  readonly pid: number;
  readonly command: string;
  /** False for one of which the system does not tell where it works. */
  readonly isSure: boolean;
}

/** Git commands at work in the repository that a lock is of; undefined where the system does not tell. */
export function gitProcessesNear(lock: string): readonly GitProcess[] | undefined {
  const places = placesOf(lock);
  try {
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => gitIn(Number(name), places));
  } catch {
    return undefined;
  }
}

/** The git directory, and the folders that it is of: linked worktrees say where those are. */
function placesOf(lock: string): readonly string[] {
  const gitDir = gitDirOf(lock);
  const folder = folderOf(gitDir);
  if (folder !== undefined) return [gitDir, folder];
  return [gitDir, dirname(gitDir), ...entriesOf(gitDir).flatMap((entry) => folderOf(entry) ?? [])];
}

function folderOf(entry: string): string | undefined {
  const linked = readText(join(entry, "gitdir"))?.trim();
  return linked === undefined || linked === "" ? undefined : dirname(linked);
}

function entriesOf(commonDir: string): readonly string[] {
  const folder = join(commonDir, "worktrees");
  try {
    return readdirSync(folder).map((name) => join(folder, name));
  } catch {
    return [];
  }
}

export function gitDirOf(lock: string): string {
  const refs = lock.lastIndexOf(`${sep}refs${sep}`);
  return refs === -1 ? dirname(lock) : lock.slice(0, refs);
}

function gitIn(pid: number, places: readonly string[]): readonly GitProcess[] {
  const [program = "", ...args] = readText(`/proc/${pid}/cmdline`)?.split("\0") ?? [];
  if (!/^git(?:-|$)/.test(basename(program))) return [];
  const cwd = linkOf(`/proc/${pid}/cwd`);
  const isNear =
    cwd === undefined ||
    places.some(
      (place) => cwd === place || cwd.startsWith(`${place}${sep}`) || args.some((arg) => arg.includes(place)),
    );
  const verb = args.find((arg, index) => /^[a-z][a-z-]*$/.test(arg) && args[index - 1] !== "-c");
  const command = verb === undefined ? "git" : `git ${verb}`;
  return isNear ? [{ pid, command, isSure: cwd !== undefined }] : [];
}

function linkOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}
