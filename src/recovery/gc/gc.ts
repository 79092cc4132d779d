import { Failure } from "../../domain/index.ts";
import type { Database, Ports } from "../../platform/ports/index.ts";
import { enter, listSessions, stillRunning, supersededSessions } from "../../sessions/index.ts";
import { openIfThere } from "../../journal/index.ts";
import { findBranches } from "./find-branches.ts";
import { findFolders } from "./find-folders.ts";
import { findLogs } from "./find-logs.ts";
import { findRefs } from "./find-refs.ts";
import { findSessions } from "./find-sessions.ts";
import { finishedPlans } from "./finished-plans.ts";
import type { Garbage, GarbageKind } from "./garbage.ts";

export interface GcRequest {
  readonly olderThanMs?: number | undefined;
  readonly dryRun?: boolean | undefined;
}

export interface GcAnswer {
  readonly dryRun: boolean;
  readonly removed: readonly Removed[];
  /** What stayed although it was found: it changed meanwhile, could not be removed, or git could not read it. */
  readonly kept: readonly (Removed & { readonly reason: string })[];
  readonly bytes: number;
}

export interface Removed {
  readonly kind: GarbageKind;
  readonly name: string;
  readonly bytes: number;
  readonly because: string;
  readonly wayBack: string | null;
}

const GC_AGE_MS = 14 * 24 * 3600 * 1000;

/**
 * Removes what finished work left behind: logs, ended sessions, work that was put aside for plans that are merged by now,
 * their worktrees and branches, and the folders of killed commands.
 *
 * Nothing of a plan that is not finished goes, and no commit that is nowhere else goes without its name being noted.
 */
export async function gc(ports: Ports, request: GcRequest): Promise<GcAnswer> {
  const { dryRun = false } = request;
  if (!dryRun && (await openIfThere(ports)) !== undefined) await enter(ports);
  const found = await findGarbage(ports, request);
  const removed: Removed[] = [];
  const kept: (Removed & { readonly reason: string })[] = [];
  for (const one of found) {
    const reason = one.stays ?? (dryRun ? undefined : await removeOne(one));
    if (reason === undefined) removed.push(told(one));
    else kept.push({ ...told(one), reason });
  }
  return { dryRun, removed, kept, bytes: removed.reduce((sum, { bytes }) => sum + bytes, 0) };
}

const told = ({ kind, name, bytes, because, wayBack }: Garbage): Removed => ({
  kind,
  name,
  bytes,
  because,
  wayBack,
});

/** Why it stays; undefined when it is gone. */
async function removeOne(garbage: Garbage): Promise<string | undefined> {
  try {
    return (await garbage.remove()) ? undefined : "it changed meanwhile";
  } catch (error) {
    if (error instanceof Failure) return error.message;
    throw error;
  }
}

/** In the order in which it goes: what other things are found by goes last. */
export async function findGarbage(
  ports: Ports,
  { olderThanMs = GC_AGE_MS }: GcRequest,
): Promise<readonly Garbage[]> {
  const beforeMs = ports.clock.wallMs() - olderThanMs;
  const database = await openIfThere(ports);
  if (database === undefined) return findFolders(ports, beforeMs);
  const sessions = await allSessions(database);
  const { finished, skipped } = await finishedPlans(ports, database, beforeMs);
  const superseded = await withoutRunning(ports, await supersededSessions(ports, sessions));
  const search = { ports, beforeMs, finished, superseded };
  return [
    ...skipped,
    ...(await findLogs(search, database, sessions)),
    ...(await findRefs(search, database)),
    ...(await findBranches(search, database)),
    ...(await findFolders(ports, beforeMs)),
    ...findSessions(search, database, sessions),
  ];
}

/** What a killed session started is found by its checkpoints for as long as it may still run. */
async function withoutRunning(ports: Ports, ids: ReadonlySet<string>): Promise<ReadonlySet<string>> {
  const running = await stillRunning(ports);
  return new Set([...ids].filter((id) => !running.has(id)));
}

const allSessions = (database: Database) =>
  database.read((sql) => sql.all(listSessions, { plan_path: null, status: null, most: MOST_SESSIONS }));

/** The oldest of more than these go with a later call. */
const MOST_SESSIONS = 100_000;
