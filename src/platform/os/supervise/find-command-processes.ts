import type { ProcessEntry, ProcessIdentity, ProcessRecord, ProcessTable } from "../../ports/index.ts";

/** The variable by which everything that a command starts is known. */
export const MARK = "PAWL_SESSION";

export interface ProcessSearch {
  readonly record: ProcessRecord;
  readonly table: ProcessTable;
  /** Processes seen below the command earlier, whatever became of their parents. */
  readonly known?: readonly ProcessIdentity[];
  /** The command is a child of this very process, so its number cannot have been given to a stranger yet. */
  readonly isChild: boolean;
  /** This process; it and those above it are never found. */
  readonly self: number;
}

export interface Found {
  readonly entries: readonly ProcessEntry[];
  /** The command's group, when all that are in it are certainly ours. */
  readonly group: number | undefined;
}

/**
 * Every living process that belongs to a command.
 *
 * Those are its group and its session; processes that carry its mark in the environment or hold its streams; those that
 * were seen below it before; strays in the folder that was made for it; and the children of all these. So a daemon
 * that left group, session and parent is found by its mark, and one that cleared its environment by its streams,
 * because it was seen, or by where it works: in the folder, with a file of it open, or with its name on the command line.
 *
 * Numbers are given to strangers once their owner is gone. So nothing that is older than the command counts, a process
 * counts as the command itself only with the command's start time, and its group counts only while that is sure.
 */
export function findCommandProcesses({ record, table, known = [], isChild, self }: ProcessSearch): Found {
  const all = table.list();
  const leader = all.find(({ pid }) => pid === record.pid);
  const isSame = leader !== undefined && leader.startedAt === record.startedAt;
  const groupIsOurs = leader === undefined ? isChild : isSame;
  const seen = new Map(known.map(({ pid, startedAt }) => [pid, startedAt]));
  const sacred = ancestorsOf(self, all);
  const isStray = strays(all, new Set([...sacred].filter((pid) => pid !== self)));

  const isOwn = (entry: ProcessEntry): boolean => {
    if (entry.pid === record.pid) return isSame;
    if (groupIsOurs && (entry.group === record.group || entry.session === record.group)) return true;
    if (seen.get(entry.pid) === entry.startedAt) return true;
    if (table.hasVariable(entry.pid, MARK, record.session)) return true;
    if (table.streams(entry.pid).some((stream) => record.streams.includes(stream))) return true;
    return isStray(entry) && isAtWorkIn(entry.pid, record.folder, table) && isCleared(entry, table);
  };

  const candidates = all.filter(
    (entry) => !sacred.has(entry.pid) && entry.pid > 1 && !isOlder(entry.startedAt, record.startedAt),
  );
  const own = new Set(candidates.filter(isOwn).map(({ pid }) => pid));
  for (let grew = own.size > 0; grew;) {
    grew = false;
    for (const { pid, parent } of candidates) {
      if (own.has(pid) || !own.has(parent)) continue;
      own.add(pid);
      grew = true;
    }
  }
  const entries = candidates.filter(({ pid, zombie }) => own.has(pid) && !zombie);
  const group =
    groupIsOurs && entries.some((entry) => entry.group === record.group) ? record.group : undefined;
  return { entries, group };
}

/**
 * Who may be taken for a daemon that cut all ties, by where it works alone.
 *
 * A person may look around in the same folder: with a shell, a multiplexer that shells hang from, an editor's helper.
 * So it has no terminal and no process below it has one, its parent is gone, and it left its parent's session.
 */
function strays(all: readonly ProcessEntry[], above: ReadonlySet<number>): (entry: ProcessEntry) => boolean {
  const entryOf = new Map(all.map((entry) => [entry.pid, entry]));
  const attended = new Set<number>();
  for (const entry of all.filter(({ hasTerminal }) => hasTerminal))
    for (let at: ProcessEntry | undefined = entry; at && !attended.has(at.pid); at = entryOf.get(at.parent))
      attended.add(at.pid);
  return ({ pid, parent, session }) => {
    // Orphans go to the first process, or to one above us that asked for them.
    const isOrphan = parent <= 1 || above.has(parent);
    return isOrphan && session !== entryOf.get(parent)?.session && !attended.has(pid);
  };
}

/**
 * What every process has that was started by a person, a service manager or an agent that hides nothing. The mark is that of a
 * later command in the same folder, whose supervisor answers for it.
 */
const INHERITED: ReadonlySet<string> = new Set(["HOME", "USER", "LOGNAME", "PATH", MARK]);

/** What a daemon is given that is to run at all; a person, a desktop or a service manager gives more, and says who it is for. */
const BARE: ReadonlySet<string> = new Set([
  "HOME",
  "PATH",
  "PWD",
  "OLDPWD",
  "SHLVL",
  "_",
  "LANG",
  "LC_ALL",
  "TZ",
]);

/**
 * Whether its environment was cleared so that it says nothing about where it comes from.
 *
 * A person's editor may have left its terminal and its parent, too, and ending it would lose what is not saved. Its
 * environment says whose it is; what an agent started has the mark. Only a daemon that hides has neither.
 */
function isCleared({ pid }: ProcessEntry, table: ProcessTable): boolean {
  const names = table.variableNames(pid);
  if (names === undefined) return false;
  return names.every((name) => !INHERITED.has(name)) || names.every((name) => BARE.has(name));
}

function isAtWorkIn(pid: number, folder: string | undefined, table: ProcessTable): boolean {
  if (folder === undefined) return false;
  const at = table.folder(pid);
  return at === folder || at?.startsWith(`${folder}/`) === true || table.touches(pid, folder);
}

/** Start times are numbers that grow; where one is not known, nothing is proven. */
function isOlder(startedAt: string, than: string): boolean {
  const [a, b] = [Number(startedAt), Number(than)];
  return !Number.isNaN(a) && !Number.isNaN(b) && a < b;
}

function ancestorsOf(self: number, all: readonly ProcessEntry[]): ReadonlySet<number> {
  const parents = new Map(all.map(({ pid, parent }) => [pid, parent]));
  const found = new Set<number>();
  for (let pid: number | undefined = self; pid !== undefined && !found.has(pid); pid = parents.get(pid))
    found.add(pid);
  return found;
}
