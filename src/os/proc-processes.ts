import { readFileSync } from "node:fs";
import type { Processes } from "../ports/processes.ts";

/** Processes through `/proc` where there is one; elsewhere only a signal can tell, and it cannot tell strangers apart. */
export const procProcesses: Processes = {
  self() {
    const found = startOf(process.pid);
    return { pid: process.pid, startedAt: typeof found === "object" ? found.startedAt : "unknown" };
  },
  mayLive({ pid, startedAt }) {
    const found = startOf(pid);
    if (found === "gone") return false;
    if (found === undefined || startedAt === "unknown") return answersSignal(pid);
    return !found.zombie && found.startedAt === startedAt;
  },
};

interface Start {
  readonly startedAt: string;
  readonly zombie: boolean;
}

function startOf(pid: number): Start | "gone" | undefined {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" && process.platform === "linux"
      ? "gone"
      : undefined;
  }
  // The name in parentheses may hold spaces and parentheses itself; the fields start after the last one.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return { startedAt: fields[19] ?? "unknown", zombie: fields[0] === "Z" || fields[0] === "X" };
}

function answersSignal(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
