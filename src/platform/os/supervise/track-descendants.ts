import type { ProcessIdentity, ProcessTable } from "../../ports/index.ts";

/** Remembers who was seen below a command, so that a daemon is found after it has left its parents. */
export interface Descendants {
  readonly known: () => readonly ProcessIdentity[];
  readonly forget: () => void;
}

const LOOK_MS = 1000;
const MOST = 10_000;

interface Watched {
  readonly root: ProcessIdentity;
  readonly seen: Map<number, string>;
}

const watched = new Set<Watched>();
let timer: NodeJS.Timeout | undefined;

/** One look a second for all commands together. */
export function trackDescendants(root: ProcessIdentity, table: ProcessTable): Descendants {
  const mine: Watched = { root, seen: new Map() };
  watched.add(mine);
  timer ??= setInterval(() => look(table), LOOK_MS).unref();
  return {
    known: () => [...mine.seen].map(([pid, startedAt]) => ({ pid, startedAt })),
    forget() {
      watched.delete(mine);
      if (watched.size > 0) return;
      clearInterval(timer);
      timer = undefined;
    },
  };
}

function look(table: ProcessTable): void {
  const all = table.list();
  const startOf = new Map(all.map(({ pid, startedAt }) => [pid, startedAt]));
  for (const { root, seen } of watched) {
    for (const [pid, startedAt] of seen) if (startOf.get(pid) !== startedAt) seen.delete(pid);
    const below = new Set([...seen.keys(), ...(startOf.get(root.pid) === root.startedAt ? [root.pid] : [])]);
    for (let grew = below.size > 0; grew && seen.size < MOST;) {
      grew = false;
      for (const { pid, parent, startedAt } of all) {
        if (below.has(pid) || !below.has(parent)) continue;
        below.add(pid);
        seen.set(pid, startedAt);
        grew = true;
      }
    }
  }
}
