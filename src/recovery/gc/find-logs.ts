import { fromInstant, isResumable } from "../../domain/index.ts";
import type { Database } from "../../platform/ports/index.ts";
import type { SessionRow } from "../../platform/index.ts";
import { findSession } from "../../sessions/index.ts";
import type { Garbage, Search } from "./garbage.ts";

/** Logs of sessions that ended long ago and are not offered to be resumed, and of sessions that the state no longer has. */
export async function findLogs(
  { ports, beforeMs, superseded }: Search,
  database: Database,
  sessions: readonly SessionRow[],
): Promise<readonly Garbage[]> {
  const leftovers = await ports.leftovers();
  const byId = new Map(sessions.map((session) => [session.id, session]));
  return leftovers.logs().flatMap((folder) => {
    const session = byId.get(folder.name);
    const endedAtMs = session === undefined ? folder.writtenAtMs : endOf(session, superseded);
    if (endedAtMs === undefined || endedAtMs > beforeMs) return [];
    return {
      kind: "log",
      name: folder.name,
      bytes: folder.bytes,
      because: session === undefined ? "the state has no such session" : `the session is ${session.status}`,
      wayBack: null,
      // A person who names a superseded session can still resume it.
      remove: async () => (await isUnchanged(database, session)) && leftovers.remove(folder),
    } satisfies Garbage;
  });
}

async function isUnchanged(database: Database, session: SessionRow | undefined): Promise<boolean> {
  if (session === undefined) return true;
  const now = await database.read((sql) => sql.get(findSession, { id: session.id }));
  return now === undefined || now.status === session.status;
}

/** When a session ended for good; undefined while it runs or is offered to be resumed. */
export function endOf(session: SessionRow, superseded: ReadonlySet<string>): number | undefined {
  const { status, ended_at, interrupted_at } = session;
  if (status === "in_progress" || isResumable(session, superseded)) return undefined;
  const at = ended_at ?? interrupted_at;
  return at === null ? undefined : fromInstant(at);
}
