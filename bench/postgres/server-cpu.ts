import { readdirSync, readFileSync } from "node:fs";

/** The kernel counts in hundredths of a second, whatever the machine's own clock does. */
const MS_PER_TICK = 10;

/** Processor time of a server so far: of its first process, of all that came from it, and of those that ended. */
export function serverCpuMs(pid: number): number {
  const all = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  const own = all.map(Number).filter((one) => one === pid || parentOf(one) === pid);
  return own.reduce((sum, one) => sum + ticksOf(one) * MS_PER_TICK, 0);
}

/** What stands behind the name, which may hold anything: the state, the parent, and so on. */
function statOf(pid: number): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
  } catch {
    // It ended since it was listed; what it used is with its parent.
    return [];
  }
}

const parentOf = (pid: number): number => Number(statOf(pid)[1]);

/** User and system time, its own and that of its ended children. */
const ticksOf = (pid: number): number =>
  statOf(pid)
    .slice(11, 15)
    .reduce((sum, ticks) => sum + Number(ticks), 0);
