import { readFileSync } from "node:fs";
import type { Processes } from "../ports/index.ts";
import { parseProcStat, type ProcStat } from "./proc-stat.ts";

/** Processes through `/proc` where there is one; elsewhere only a signal can tell, and it cannot tell strangers apart. */
export const procProcesses: Processes = {
  // Only where a session is at work somebody asks.
  lineage: async () => (await import("./process-ancestors.ts")).lineage(),
  self() {
    const found = statOf(process.pid);
    return { pid: process.pid, startedAt: typeof found === "object" ? found.startedAt : "unknown" };
  },
  mayLive({ pid, startedAt }) {
    const found = statOf(pid);
    if (found === "gone") return false;
    if (found === undefined || startedAt === "unknown") return answersSignal(pid);
    return !found.zombie && found.startedAt === startedAt;
  },
  isStopped({ pid, startedAt }) {
    const found = statOf(pid);
    if (found === "gone") return false;
    // Without a table a stranger may have the number by now; a lifeline that is held says that it is none.
    if (found === undefined) return psState(pid).startsWith("T");
    return found.stopped && found.startedAt === startedAt;
  },
};

/** Undefined where there is no such table. */
function statOf(pid: number): ProcStat | "gone" | undefined {
  try {
    return parseProcStat(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" && process.platform === "linux"
      ? "gone"
      : undefined;
  }
}

function psState(pid: number): string {
  const { spawnSync } = process.getBuiltinModule("node:child_process");
  return (spawnSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" }).stdout ?? "").trim();
}

function answersSignal(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
