import type { Instant } from "../domain/index.ts";
import type { Ports, Sql } from "../platform/ports/index.ts";
import { listLandingsSince } from "../commits/index.ts";
import { isStoppedRunner, listRunSessions, listSessions, listSpans } from "../sessions/index.ts";
import type { SessionRow } from "../platform/index.ts";
import { openIfThere } from "../journal/index.ts";

export interface TimelineRequest {
  readonly plan?: string | undefined;
  /** Only the sessions of this run. */
  readonly run?: string | undefined;
  readonly most?: number | undefined;
}

/** What a session did when. */
export interface TimelineSession {
  readonly sessionId: string;
  readonly runId: string | null;
  readonly planPath: string | null;
  readonly agent: string | null;
  readonly worktree: string;
  readonly status: SessionRow["status"];
  /** Its process is stopped, as by Ctrl-Z. */
  readonly isStopped: boolean;
  readonly startedAt: Instant;
  readonly endedAt: Instant | null;
  readonly spans: readonly Span[];
  /** From when a step joined the train of its branch to when it landed. */
  readonly landings: readonly LandingSpan[];
}

export interface LandingSpan {
  readonly anchor: string;
  readonly branch: string;
  readonly joinedAt: Instant;
  /** Null while it waits. */
  readonly landedAt: Instant | null;
  readonly commit: string | null;
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
/** Of all sessions together; those that are older than so many are left out. */
const MOST_IN_ALL = 2500;

/** Who worked on what when, newest session first. */
export async function timeline(ports: Ports, request: TimelineRequest): Promise<readonly TimelineSession[]> {
  const database = await openIfThere(ports);
  if (database === undefined) return [];
  const key = request.plan === undefined ? null : ports.plans.locate(request.plan).key;
  const most = Math.min(request.most ?? MOST_SESSIONS, MOST_SESSIONS);
  return database.read(async (sql) => {
    const rows =
      request.run === undefined
        ? await sql.all(listSessions, { plan_path: key, status: null, most })
        : (await sql.all(listRunSessions, { run_id: request.run })).toReversed().slice(0, most);
    const lines: TimelineSession[] = [];
    const landings = await landingsOf(sql, rows);
    let left = MOST_IN_ALL;
    for (const row of rows) {
      if (left === 0) break;
      const spans = await sql.all(listSpans, { session_id: row.id, most: Math.min(MOST_SPANS, left) });
      left -= spans.length;
      lines.push({
        sessionId: row.id,
        runId: row.run_id,
        planPath: row.plan_path,
        agent: row.agent,
        worktree: row.worktree,
        status: row.status,
        isStopped: isStoppedRunner(ports, row),
        startedAt: row.started_at,
        landings: landings.get(row.id) ?? [],
        // The command that found it cut off may have come much later.
        endedAt: row.interrupted_at ?? row.ended_at,
        spans: spans.toReversed().map((span) => ({
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

/** By session, oldest first. */
async function landingsOf(
  sql: Sql,
  sessions: readonly SessionRow[],
): Promise<ReadonlyMap<string, readonly LandingSpan[]>> {
  const since = sessions.map(({ started_at }) => started_at).toSorted()[0];
  const found = new Map<string, LandingSpan[]>();
  if (since === undefined) return found;
  for (const row of (await sql.all(listLandingsSince, { since, most: MOST_IN_ALL })).toReversed()) {
    if (row.session_id === null) continue;
    const spans = found.get(row.session_id) ?? [];
    spans.push({
      anchor: row.anchor,
      branch: row.branch,
      joinedAt: row.joined_at,
      landedAt: row.landed_at,
      commit: row.landed_commit,
    });
    found.set(row.session_id, spans);
  }
  return found;
}
