import type { ProcessEntry, ProcessIdentity, ProcessSignal, Stopped } from "../../ports/index.ts";
import { findCommandProcesses, type ProcessSearch } from "./find-command-processes.ts";

export interface StopPatience {
  /** How long they may take to leave when they are asked to; asked again before each look, so it can become shorter. */
  readonly graceMs: () => number;
  readonly uptimeMs: () => number;
}

/** How often it is looked whether they are gone. */
const LOOK_MS = 20;
/** A process that SIGKILL does not end within this time is stuck in the kernel. */
const FORCE_MS = 10_000;

/**
 * Ends everything that belongs to a command: asks, waits, forces, and looks again until nothing is found.
 *
 * Processes that appear meanwhile are asked and forced, too, so a command cannot outrun it by starting more. Works the same
 * in the heartbeat's thread, which has no other way to stop an agent while the main thread is busy.
 */
export async function stopCommandProcesses(
  search: Omit<ProcessSearch, "known"> & { readonly known?: () => readonly ProcessIdentity[] },
  { graceMs, uptimeMs }: StopPatience,
): Promise<Stopped> {
  const met = new Map<string, ProcessIdentity>();
  const asked = new Set<string>();
  const startMs = uptimeMs();
  let forcedMs: number | undefined;
  for (;;) {
    const { known, ...where } = search;
    const { entries: found, group } = findCommandProcesses({
      ...where,
      ...(known ? { known: known() } : {}),
    });
    for (const entry of found) met.set(keyOf(entry), identityOf(entry));
    const now = uptimeMs();
    const timeIsUp = forcedMs !== undefined && now - forcedMs > FORCE_MS;
    if (found.length === 0 || timeIsUp) {
      const left = new Set(found.map(keyOf));
      return {
        stopped: [...met].filter(([key]) => !left.has(key)).map(([, identity]) => identity),
        left: found.map(identityOf),
      };
    }
    if (forcedMs === undefined && now - startMs >= graceMs()) forcedMs = now;
    // The group at once, so that none of it can start another between two signals.
    if (group !== undefined && forcedMs !== undefined) search.table.send(-group, "SIGKILL");
    for (const entry of found) {
      if (forcedMs !== undefined) signal(search, entry, "SIGKILL");
      else if (!asked.has(keyOf(entry))) {
        asked.add(keyOf(entry));
        signal(search, entry, "SIGTERM");
        // A stopped process handles no signal until it continues.
        signal(search, entry, "SIGCONT");
      }
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

/** Read again right before: its number may belong to another process since it was found. */
function signal({ table }: Pick<ProcessSearch, "table">, entry: ProcessEntry, name: ProcessSignal): void {
  if (table.entry(entry.pid)?.startedAt === entry.startedAt) table.send(entry.pid, name);
}

const keyOf = ({ pid, startedAt }: ProcessIdentity): string => `${pid}:${startedAt}`;

const identityOf = ({ pid, startedAt }: ProcessIdentity): ProcessIdentity => ({ pid, startedAt });
