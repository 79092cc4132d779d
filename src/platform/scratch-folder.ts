import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from "node:fs";
import { join } from "node:path";

/**
 * A folder for the length of one piece of work, whose name says which process has it.
 *
 * What a kill left is removed once that process is gone. No clock decides: after a jump it would take a folder from a
 * process that still works in it. Where another container or machine may have it, it stays.
 */
export const makeScratch = (folder: string, prefix: string): string =>
  mkdtempSync(join(folder, `${prefix}${tagOf(process.pid)}-`));

/** Removes what processes that are gone have left under this prefix. */
export function sweepScratch(folder: string, prefix: string): void {
  for (const name of leftScratch(folder, prefix))
    rmSync(join(folder, name), { recursive: true, force: true });
}

/** The names of what processes that are gone have left there. */
export const leftScratch = (folder: string, prefix: string): readonly string[] =>
  readdirSync(folder).filter((name) => name.startsWith(prefix) && isLeft(name.slice(prefix.length)));

const TAG = /^(\w+)\.(\w+)\.(\d+)\.(\w+)-/;

const tagOf = (pid: number): string => `${namespace()}.${boot()}.${pid}.${startOf(pid) ?? 0}`;

function isLeft(tag: string): boolean {
  const [, where, when, pid, start] = TAG.exec(tag) ?? [];
  if (where === undefined || where !== namespace()) return false;
  if (when !== boot()) return true;
  const now = startOf(Number(pid));
  if (now !== undefined) return now !== start;
  return !answersSignal(Number(pid));
}

/** Numbers of processes mean something only within one of these; the first one of a machine keeps its own for ever. */
const namespace = (): string => /\d+/.exec(linkOf("/proc/self/ns/pid") ?? "")?.[0] ?? "here";

const boot = (): string =>
  textOf("/proc/sys/kernel/random/boot_id")?.replaceAll(/\W/g, "").slice(0, 12) ?? "unknown";

/** The moment a process was started, as the kernel counts it; a number that was given anew has another one. */
const startOf = (pid: number): string | undefined => {
  const stat = textOf(`/proc/${pid}/stat`);
  return stat?.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
};

function answersSignal(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return undefined;
  }
}

function linkOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}
