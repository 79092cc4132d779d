import type { Instant } from "../../domain/instant.ts";
import type { Ports } from "../../ports/index.ts";
import { listCheckpoints } from "../../store/statements/list-checkpoints.ts";
import { listSessions } from "../../store/statements/list-sessions.ts";
import type { SessionRow } from "../../store/statements/rows.ts";
import { openIfThere } from "../open-if-there.ts";

export interface TimelineRequest {
  readonly plan?: string | undefined;
  /** Only the sessions of this run. */
  readonly run?: string | undefined;
  readonly most?: number | undefined;
}

/** What a session did when. */
export interface Lifeline {
  readonly sessionId: string;
  readonly runId: string | null;
  readonly planPath: string | null;
  readonly agent: string | null;
  readonly worktree: string;
  readonly status: SessionRow["status"];
  readonly startedAt: Instant;
  readonly endedAt: Instant | null;
  readonly spans: readonly Span[];
}

export interface Span {
  readonly number: number;
  readonly anchor: string | null;
  readonly command: string;
  readonly type: string;
  readonly startedAt: Instant;
  /** Null while it runs, or when it was cut off. */
  readonly endedAt: Instant | null;
  readonly outcome: string | null;
}

const MOST_SESSIONS = 40;
const MOST_SPANS = 500;

/** Who worked on what when, newest session first. */
export async function timeline(ports: Ports, request: TimelineRequest): Promise<readonly Lifeline[]> {
  const database = await openIfThere(ports);
  if (database === undefined) return [];
  const key = request.plan === undefined ? null : ports.plans.locate(request.plan).key;
  const most = Math.min(request.most ?? MOST_SESSIONS, MOST_SESSIONS);
  return database.read(async (sql) => {
    const rows = (await sql.all(listSessions, { plan_path: key, most: 1000 }))
      .filter(({ run_id }) => request.run === undefined || run_id === request.run)
      .slice(0, most);
    const lines: Lifeline[] = [];
    for (const row of rows) {
      const spans = await sql.all(listCheckpoints, { session_id: row.id });
      lines.push({
        sessionId: row.id,
        runId: row.run_id,
        planPath: row.plan_path,
        agent: row.agent,
        worktree: row.worktree,
        status: row.status,
        startedAt: row.started_at,
        // Whoever found it cut off may have come much later.
        endedAt: row.interrupted_at ?? row.ended_at,
        spans: spans.slice(-MOST_SPANS).map((span) => ({
          number: span.number,
          anchor: span.anchor,
          command: span.command,
          type: span.type,
          startedAt: span.started_at,
          endedAt: span.ended_at,
          outcome: span.outcome,
        })),
      });
    }
    return lines;
  });
}
