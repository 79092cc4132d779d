import { orNothing } from "../domain/index.ts";
import type { Ancestor, Database, Ports, ProcessRecord } from "../platform/ports/index.ts";
import { type CommandHere, findSession, isDead, listCommandsHere } from "../sessions/index.ts";
import type { SessionRow } from "../platform/index.ts";
import { openIfThere, storedJson } from "../journal/index.ts";

/** The agent that a call comes from, and how that is known. */
export interface CallingAgent {
  readonly session: string;
  /** What its session is for; null where that is not known here. */
  readonly kind: SessionRow["kind"];
  /** Where its session works; undefined where the session is not known here. */
  readonly worktree: { readonly path: string; readonly id: string } | undefined;
  /**
   * `process`: the caller descends from a command that the session supervises, shares its group or its output.
   * `environment`: a process that the caller descends from was started with the session's name.
   * `folder`: the caller is in the worktree that Pawl made for an agent which is at work there now.
   * `name`: only the caller's own environment says so.
   */
  readonly by: "process" | "environment" | "folder" | "name";
  readonly isLive: boolean;
}

/** One session of this machine with the command that it runs. */
export interface Supervising {
  readonly row: Omit<CommandHere, "process">;
  readonly record: ProcessRecord | undefined;
  readonly isLive: () => boolean;
}

export interface CallerEvidence {
  /** The calling process first. */
  readonly lineage: readonly Ancestor[];
  readonly folders: readonly string[];
  /** The session that the caller's own environment names. */
  readonly named: string | undefined;
}

export interface CallingAgentRequest {
  /** The worktree that the call is about. */
  readonly worktree?: string | undefined;
  /** Also looks for an agent of this repository whose session another database has: a variable leads to that, too. */
  readonly anyStore?: boolean | undefined;
}

/**
 * Finds out whether a call comes from an agent that Pawl supervises; undefined for everybody else.
 *
 * Never by the environment of the caller alone: an agent can unset that. Where no session is at work, nothing but the
 * database is asked.
 */
export async function callingAgent(
  ports: Ports,
  { worktree, anyStore = false }: CallingAgentRequest = {},
): Promise<CallingAgent | undefined> {
  const { folder, session: named } = ports.caller;
  // One that is lost or damaged knows of no session; the call itself says what is wrong with it.
  const database = await openIfThere(ports).catch(orNothing);
  const rows = database
    ? await database.read((sql) => sql.all(listCommandsHere, { boot_id: ports.machine.bootId }))
    : [];
  const elsewhere = anyStore ? await agentElsewhere(ports, database) : undefined;
  if (elsewhere) return elsewhere;
  if (rows.length === 0) return named === undefined ? undefined : strangerNamed(named);
  const folders = [folder, ...(worktree === undefined ? [] : [pathOf(ports, worktree)])];
  const all = rows.map(({ process, ...row }) => ({
    row,
    record: storedJson<ProcessRecord | undefined>(process, undefined),
    isLive: () => row.status === "in_progress" && !isDead(ports, row),
  }));
  return agentAmong(all, { lineage: await ports.processes.lineage(), folders, named });
}

/** Pure: which of these sessions the evidence leads to, the strongest first. */
export function agentAmong(
  all: readonly Supervising[],
  { lineage, folders, named }: CallerEvidence,
): CallingAgent | undefined {
  const supervised = all.find(({ record }) => record && lineage.some((one) => belongsTo(one, record)));
  if (supervised) return agentOf(supervised, "process");
  // The outermost counts: what an agent starts can be given another name, what it was started with itself cannot.
  const mark = lineage.slice(1).findLast((one) => all.some(({ row }) => row.id === one.mark))?.mark;
  const marked = all.find(({ row }) => row.id === mark);
  if (marked) return agentOf(marked, "environment");
  const housed = all.find(
    ({ record, isLive }) =>
      record?.folder !== undefined && folders.some((folder) => isInside(folder, record.folder!)) && isLive(),
  );
  if (housed) return agentOf(housed, "folder");
  if (named === undefined) return undefined;
  const known = all.find(({ row }) => row.id === named);
  return known ? agentOf(known, "name") : strangerNamed(named);
}

const agentOf = ({ row, isLive }: Supervising, by: CallingAgent["by"]): CallingAgent => ({
  session: row.id,
  kind: row.kind,
  worktree: { path: row.worktree, id: row.worktree_id },
  by,
  isLive: isLive(),
});

const strangerNamed = (session: string, by: CallingAgent["by"] = "name"): CallingAgent => ({
  session,
  kind: null,
  worktree: undefined,
  by,
  isLive: false,
});

/**
 * An agent of this repository that called with another database, in which no session runs.
 *
 * A session that this database knows is judged as such, also when it is over; and one that works in another repository is
 * none of this one's.
 */
async function agentElsewhere(
  ports: Ports,
  database: Database | undefined,
): Promise<CallingAgent | undefined> {
  for (const { mark, markedAt } of (await ports.processes.lineage()).slice(1)) {
    if (mark === undefined || markedAt === undefined || !isHere(ports, markedAt)) continue;
    const known = await database?.read((sql) => sql.get(findSession, { id: mark }));
    if (known === undefined) return strangerNamed(mark, "environment");
  }
  return undefined;
}

function isHere({ repository }: Ports, worktree: string): boolean {
  try {
    return repository.worktree(worktree).path !== "";
  } catch {
    return false;
  }
}

/**
 * The command itself, or a process that left it but not its group, session or output.
 *
 * The number of a group is given again only once no process is left in it, so a group that holds a process younger than the
 * command is the command's own.
 */
function belongsTo(one: Ancestor, { pid, startedAt, group, streams }: ProcessRecord): boolean {
  if (!(pid > 1)) return false;
  if (one.pid === pid) return one.startedAt === startedAt;
  const isYounger = !(Number(one.startedAt) < Number(startedAt));
  if (isYounger && (one.group === group || one.session === group)) return true;
  return one.streams.some((stream) => streams.includes(stream));
}

const isInside = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);

/** A worktree that cannot be found is refused by the verb itself, in its own words. */
function pathOf(ports: Ports, worktree: string): string {
  try {
    return ports.repository.worktree(worktree).path;
  } catch {
    return worktree;
  }
}
