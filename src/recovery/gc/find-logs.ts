import { fromInstant } from "../../domain/index.ts";
import type { Ports } from "../../platform/ports/index.ts";
import type { SessionRow } from "../../platform/index.ts";
import type { Garbage } from "./garbage.ts";

/** Logs of sessions that ended long ago and cannot be resumed, and of sessions that the state no longer has. */
export async function findLogs(
  ports: Ports,
  beforeMs: number,
  sessions: readonly SessionRow[],
): Promise<readonly Garbage[]> {
  const leftovers = await ports.leftovers();
  const byId = new Map(sessions.map((session) => [session.id, session]));
  return leftovers.logs().flatMap((folder) => {
    const session = byId.get(folder.name);
    const endedAtMs = session === undefined ? folder.writtenAtMs : endOf(session);
    if (endedAtMs === undefined || endedAtMs > beforeMs) return [];
    return {
      kind: "log",
      name: folder.name,
      bytes: folder.bytes,
      because: session === undefined ? "the state has no such session" : `the session is ${session.status}`,
      wayBack: null,
      remove: async () => leftovers.remove(folder),
    } satisfies Garbage;
  });
}

/** When a session ended for good; undefined while it runs or can be resumed. */
export function endOf({ status, resumable, ended_at, interrupted_at }: SessionRow): number | undefined {
  if (status === "in_progress" || (status === "interrupted" && resumable === 1)) return undefined;
  const at = ended_at ?? interrupted_at;
  return at === null ? undefined : fromInstant(at);
}
