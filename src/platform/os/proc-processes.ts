import { readFileSync } from "node:fs";
import type { Processes } from "../ports/index.ts";
import { parseProcStat, type ProcStat } from "./proc-stat.ts";
import { psTable, type PsTable, runProgram } from "./ps-table.ts";

/** Processes by number and start. Where neither `/proc` nor `ps` knows the start, only a signal shows that one lives. */
export const procProcesses: Processes = {
  // Asked only while a session runs.
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
    return found?.stopped === true && [found.startedAt, "unknown"].includes(startedAt);
  },
};

type Look = Pick<ProcStat, "startedAt" | "zombie" | "stopped"> | "gone" | undefined;

/** From `/proc`, or from `ps` where there is none; undefined where the system has neither. */
function statOf(pid: number): Look {
  try {
    return parseProcStat(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch (error) {
    if (process.platform !== "linux") return processByPs(psTable(runProgram), pid);
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? "gone" : undefined;
  }
}

/** A start in whole seconds: the same number within the same second is taken for the same process. */
export function processByPs({ look }: PsTable, pid: number): Look {
  const found = look(pid);
  return found === null ? "gone" : found;
}

function answersSignal(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
