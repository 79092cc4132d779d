import { Failure, fromInstant, whenAbandoned } from "../domain/index.ts";
import type { Ports } from "../platform/ports/index.ts";
import {
  abandonSession,
  allSessions,
  asEntered,
  enter,
  lastSessionOfWorktree,
  sessionNamed,
  showSession,
} from "../sessions/index.ts";
import type { SessionRow } from "../platform/index.ts";
import { journal } from "../journal/index.ts";
import { refuseStaleSession, type ExpectedSession } from "../steps/index.ts";
import { restoreSnapshot, type RestoreSnapshotAnswer } from "../snapshots/index.ts";

export interface AbandonRequest {
  readonly id: string;
  /** How the session stood when a person decided; anything else now, and nothing happens. */
  readonly seen?: ExpectedSession | undefined;
}

export interface AbandonAnswer {
  readonly id: string;
  readonly abandoned: boolean;
  /** Where its uncommitted work is; it stays there. */
  readonly snapshotRef: string | null;
}

/** Decides that a session is not resumed. Its work stays: in its worktree, and in a snapshot that is taken first. */
export async function abandon(ports: Ports, request: AbandonRequest): Promise<AbandonAnswer> {
  const row = await sessionNamed(asEntered(ports), request.id);
  refuseStaleSession(row, request.seen);
  if (row.status === "in_progress")
    throw new Failure("session/alive", `Session ${row.id} is running in ${row.worktree} (pid ${row.pid}).`, {
      session_id: row.id,
      pid: row.pid,
    });
  await enter(ports, { stop: [{ worktreeId: row.worktree_id }] });
  const snapshotRef = (await keepWork(ports, row)) ?? row.snapshot_ref;
  return { id: row.id, abandoned: await mark(ports, row, snapshotRef), snapshotRef };
}

/** The worktree may be gone, or another session's by now; then there is nothing of this session to keep. */
async function keepWork(ports: Ports, row: SessionRow): Promise<string | undefined> {
  try {
    const worktree = ports.repository.worktree(row.worktree);
    if (worktree.id !== row.worktree_id || row.status !== "interrupted") return undefined;
    const database = await ports.database();
    const last = await database.read((sql) => sql.get(lastSessionOfWorktree, { worktree_id: worktree.id }));
    if (last && last.id !== row.id && isSince(last, row)) return undefined;
    return (await (await ports.snapshots()).take(worktree, whenAbandoned(row.id)))?.ref;
  } catch (error) {
    if (error instanceof Failure && error.problem === "worktree/not-found") return undefined;
    throw error;
  }
}

/** What lies in the worktree is the work of the session that came after this one. */
const isSince = (last: SessionRow, { interrupted_at }: SessionRow): boolean =>
  last.status === "in_progress" || interrupted_at === null || last.started_at > interrupted_at;

async function mark(
  ports: Ports,
  { id, plan_path, worktree }: SessionRow,
  snapshotRef: string | null,
): Promise<boolean> {
  const database = await ports.database();
  return database.write(async (sql) => {
    if ((await sql.run(abandonSession, { id, snapshot_ref: snapshotRef, now: sql.now })) === 0) return false;
    await journal(sql, {
      event: "session-abandoned",
      ...(plan_path === null ? {} : { plan: plan_path }),
      worktree,
      session: id,
    });
    return true;
  });
}

export interface CleanSessionsRequest {
  readonly olderThanMs?: number | undefined;
  readonly dryRun?: boolean | undefined;
}

export interface CleanSessionsAnswer {
  readonly dryRun: boolean;
  readonly abandoned: readonly string[];
  readonly kept: readonly { readonly id: string; readonly because: string }[];
}

/** Abandons interrupted sessions that were never resumed. Those that run, or are young, stay. */
export async function cleanSessions(
  ports: Ports,
  request: CleanSessionsRequest,
): Promise<CleanSessionsAnswer> {
  const { olderThanMs = WEEK_MS, dryRun = false } = request;
  const abandoned: string[] = [];
  const kept: { id: string; because: string }[] = [];
  for (const { id, status, interrupted_at, ended_at } of await allSessions(asEntered(ports))) {
    if (status !== "interrupted") continue;
    const ageMs =
      ports.clock.wallMs() - fromInstant(interrupted_at ?? ended_at ?? "9999-12-31T00:00:00.000Z");
    if (ageMs < olderThanMs) kept.push({ id, because: "it was interrupted not long ago" });
    else if (dryRun) abandoned.push(id);
    else {
      const left = await leave(ports, id);
      if (left === undefined) abandoned.push(id);
      else kept.push({ id, because: left });
    }
  }
  return { dryRun, abandoned, kept };
}

/** Why a session stays; undefined when it is abandoned. Another process may have resumed it since, or its agent does not end. */
async function leave(ports: Ports, id: string): Promise<string | undefined> {
  try {
    const { abandoned } = await abandon(ports, { id });
    return abandoned ? undefined : "another process decided about it at the same moment";
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return error.message;
  }
}

const WEEK_MS = 7 * 24 * 3600 * 1000;

/** Restores the uncommitted work that a session left. */
export async function restoreSession(
  ports: Ports,
  { id, to }: { readonly id: string; readonly to?: string | undefined },
): Promise<RestoreSnapshotAnswer> {
  const { snapshotRef } = await showSession(ports, { id });
  if (snapshotRef === null)
    throw new Failure("snapshot/not-found", `Session ${id} left nothing that is not committed.`, {
      session_id: id,
    });
  return restoreSnapshot(ports, { name: snapshotRef, to });
}
