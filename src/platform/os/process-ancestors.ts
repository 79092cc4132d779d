import { readFileSync } from "node:fs";
import type { Ancestor, ProcessEntry } from "../ports/index.ts";
import { processTable, programTable } from "./process-table.ts";
import { MARK } from "./supervise/find-command-processes.ts";

/** More than any chain of shells, and an end where a table contradicts itself. */
const MOST_ANCESTORS = 64;

let known: readonly Ancestor[] | undefined;

/**
 * This process and all it comes from, nearest first.
 *
 * A process can clear its environment, leave its session and change its folder; its parent stays its parent until that
 * one ends. Read once: a parent that ends later must not hide who started this process.
 */
export const lineage = (): readonly Ancestor[] => (known ??= readLineage());

function readLineage(): readonly Ancestor[] {
  const entryOf = lookUp();
  const found: Ancestor[] = [];
  for (let pid = process.pid; pid > 1 && found.length < MOST_ANCESTORS;) {
    const entry = entryOf(pid);
    if (entry === undefined) break;
    const { startedAt, group, session, parent } = entry;
    const streams = pid === process.pid ? processTable.streams(pid) : [];
    const [mark, markedAt] = [MARK, "PAWL_WORKTREE"].map((name) => startedWith(pid, name));
    found.push({ pid, startedAt, group, session, streams, mark, markedAt });
    pid = parent;
  }
  return found;
}

/** A few reads in `/proc`; elsewhere one `ps` for all of them. */
function lookUp(): (pid: number) => ProcessEntry | undefined {
  if (process.platform === "linux") return processTable.entry;
  const all = new Map(processTable.list().map((entry) => [entry.pid, entry]));
  return (pid) => all.get(pid);
}

/** As the process was started: what it changed in its own environment since does not show. */
function startedWith(pid: number, name: string): string | undefined {
  if (process.platform !== "linux") return programTable.variable(pid, name) || undefined;
  try {
    const variables = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
    return variables.find((one) => one.startsWith(`${name}=`))?.slice(name.length + 1) || undefined;
  } catch {
    return undefined;
  }
}
