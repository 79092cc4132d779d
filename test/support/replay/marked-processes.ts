import { processTable } from "../../../src/platform/os/process-table.ts";
import { until } from "../until.ts";

/** A variable that everything which a replay starts is known by, with a value of its own for each. */
export const MARK = "HISTORY_REPLAY";

/** Processes that live and carry the mark, and all that descend from them or from one that is given. */
export function markedProcesses(mark: string, root?: number): readonly number[] {
  const living = processTable.list().filter(({ zombie }) => !zombie);
  const found = new Set(
    living.map(({ pid }) => pid).filter((pid) => pid === root || processTable.hasVariable(pid, MARK, mark)),
  );
  for (let size = -1; size !== found.size;) {
    size = found.size;
    for (const { pid, parent } of living) if (found.has(parent)) found.add(pid);
  }
  return [...found];
}

/** Kills all of them with SIGKILL, the given one first, also what they start meanwhile; resolves when none is left. */
export function killMarked(mark: string, root?: number): Promise<void> {
  const isGone = () => {
    const left = markedProcesses(mark, root);
    for (const pid of left.toSorted((a) => (a === root ? -1 : 0))) processTable.send(pid, "SIGKILL");
    return left.length === 0;
  };
  return until(isGone, "nothing is left of what was killed", 60_000);
}
