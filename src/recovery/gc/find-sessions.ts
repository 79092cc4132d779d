import type { Database } from "../../platform/ports/index.ts";
import { deleteSession } from "../../sessions/index.ts";
import type { SessionRow } from "../../platform/index.ts";
import { journal } from "../../journal/index.ts";
import { endOf } from "./find-logs.ts";
import type { Garbage, Search } from "./garbage.ts";

const ENDED: ReadonlySet<string> = new Set(["completed", "failed", "abandoned", "interrupted"]);

/** Sessions that ended long ago, or were interrupted and superseded, and whose plan is finished. The journal keeps what they did. */
export function findSessions(
  { beforeMs, finished, superseded }: Search,
  database: Database,
  sessions: readonly SessionRow[],
): readonly Garbage[] {
  return sessions.flatMap((session) => {
    const endedAtMs = endOf(session, superseded);
    const { id, plan_path, status, interrupted_at } = session;
    if (endedAtMs === undefined || endedAtMs > beforeMs || !ENDED.has(status)) return [];
    if (plan_path !== null && !finished.has(plan_path)) return [];
    return {
      kind: "session",
      name: id,
      bytes: 0,
      because: plan_path === null ? `it is ${status}` : `it is ${status}, and ${plan_path} is merged`,
      wayBack: null,
      remove: () =>
        database.write(async (sql) => {
          const [checkpoints, row] = deleteSession;
          await sql.run(checkpoints, { id, interrupted_at });
          if ((await sql.run(row, { id, interrupted_at })) === 0) return false;
          await journal(sql, {
            event: "session-removed",
            ...(plan_path === null ? {} : { plan: plan_path }),
            detail: { session: id },
          });
          return true;
        }),
    } satisfies Garbage;
  });
}
