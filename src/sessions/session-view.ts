import {
  type Instant,
  isResumable,
  resumeCommandLine,
  type UsageSums,
  type UsageView,
  usageView,
} from "../domain/index.ts";
import type { Ports, Sql } from "../platform/ports/index.ts";
import { lastKept } from "./sql/last-kept.ts";
import { listCheckpoints } from "./sql/list-checkpoints.ts";
import { listLastCheckpoints } from "./sql/list-last-checkpoints.ts";
import { listSessions } from "./sql/list-sessions.ts";
import { listSessionUsage } from "./sql/sum-usage.ts";
import type { CheckpointRow, SessionRow } from "../platform/index.ts";
import { asEntered } from "./enter.ts";
import { heldBySession, isStoppedRunner, stoppedText } from "./stopped-runner.ts";
import { openIfThere, storedJson } from "../journal/index.ts";
import { isOfThisClone, sessionNamed, supersededIn } from "./find-session.ts";

/** A session as people and programs see it. */
export interface SessionView {
  readonly id: string;
  readonly runId: string | null;
  readonly kind: string | null;
  readonly planPath: string | null;
  readonly status: SessionRow["status"];
  readonly workflow: string | null;
  readonly agent: string | null;
  readonly worktree: string;
  readonly branch: string | null;
  readonly host: string;
  readonly pid: number;
  readonly startedAt: Instant;
  readonly endedAt: Instant | null;
  readonly interruptedAt: Instant | null;
  readonly interruptionType: string | null;
  readonly resumable: boolean;
  /** Whether it worked in this clone; on a server there are those of others too. */
  readonly here: boolean;
  /** The command that resumes it, where it worked; null when there is none. */
  readonly resumeWith: string | null;
  /** Where its process is stopped, as by Ctrl-Z: in words, with how to continue it or take its step over. */
  readonly stopped: string | null;
  readonly pausedUntil: Instant | null;
  readonly focus: string | null;
  readonly snapshotRef: string | null;
  readonly logFolder: string | null;
  /** Where it is, or was last. */
  readonly at: CheckpointView | null;
  /** What its agents used so far; null where nothing is on record. */
  readonly usage: UsageView | null;
}

export interface CheckpointView {
  readonly number: number;
  readonly planPath: string | null;
  readonly anchor: string | null;
  readonly iteration: number;
  readonly command: string;
  readonly type: string;
  readonly specId: string | null;
  readonly startedAt: Instant;
  readonly endedAt: Instant | null;
  /** Null while it runs, or when it was cut off. */
  readonly outcome: string | null;
  readonly exitCode: number | null;
  readonly filesModified: readonly string[];
  readonly snapshotRef: string | null;
  readonly log: string | null;
  readonly outputTail: string | null;
  /** What its agent used; null where nothing is on record. */
  readonly usage: UsageView | null;
}

export interface SessionDetail extends SessionView {
  readonly checkpoints: readonly CheckpointView[];
  readonly configuration: Readonly<Record<string, unknown>> | null;
}

export interface SessionsRequest {
  readonly plan?: string | undefined;
  /** Only those that were cut off, or are at work. */
  readonly status?: SessionRow["status"] | undefined;
  readonly most?: number | undefined;
}

/** Sessions, newest first. */
export async function listSessionViews(
  ports: Ports,
  request: SessionsRequest,
): Promise<readonly SessionView[]> {
  const database = await openIfThere(asEntered(ports));
  if (database === undefined) return [];
  const key = request.plan === undefined ? undefined : ports.plans.locate(request.plan).key;
  const { status = null, most = 50 } = request;
  return database.read(async (sql) => {
    const superseded = await supersededIn(sql);
    const views: SessionView[] = [];
    for (const row of await sql.all(listSessions, { plan_path: key ?? null, status, most }))
      views.push(sessionView(ports, row, await placeOf(ports, sql, row), superseded));
    return views;
  });
}

export interface SessionRequest {
  readonly id: string;
  /** Only so many of its commands, the last ones; all when left out. */
  readonly most?: number | undefined;
}

/** One session with what it did. */
export async function showSession(ports: Ports, { id, most }: SessionRequest): Promise<SessionDetail> {
  const reading = asEntered(ports);
  const database = await reading.database();
  const row = await sessionNamed(reading, id);
  const about = { session_id: row.id };
  const { place, superseded, checkpoints } = await database.read(async (sql) => ({
    place: await placeOf(ports, sql, row),
    superseded: await supersededIn(sql),
    checkpoints:
      most === undefined
        ? await sql.all(listCheckpoints, about)
        : (await sql.all(listLastCheckpoints, { ...about, most })).toReversed(),
  }));
  return {
    ...sessionView(ports, row, place, superseded),
    checkpoints: checkpoints.map((one) => checkpointView(one, row, place.usage)),
    configuration: storedJson<Readonly<Record<string, unknown>> | null>(row.configuration, null),
  };
}

/** Where a session is, and what was kept of it on the way. */
interface Place {
  readonly last: CheckpointRow | undefined;
  readonly kept: string | undefined;
  readonly stopped: string | null;
  /** By the number of the command. */
  readonly usage: SessionUsage;
}

type SessionUsage = ReadonlyMap<number, UsageSums>;

async function placeOf(ports: Ports, sql: Sql, row: SessionRow): Promise<Place> {
  const { id } = row;
  const [last] = await sql.all(listLastCheckpoints, { session_id: id, most: 1 });
  const kept = last && (await sql.get(lastKept, { session_id: id }));
  const held = isStoppedRunner(ports, row) ? await heldBySession(sql, id) : [];
  const stopped = stoppedText(ports, row, held) ?? null;
  const used = last ? await sql.all(listSessionUsage, { session_id: id }) : [];
  const usage = new Map(used.map((sums) => [sums.number, sums]));
  return { last, kept: kept?.snapshot_ref, stopped, usage };
}

function sessionView(
  ports: Ports,
  row: SessionRow,
  { last, kept, stopped, usage }: Place,
  superseded: ReadonlySet<string>,
): SessionView {
  const isOffered = isResumable(row, superseded);
  return {
    id: row.id,
    runId: row.run_id,
    kind: row.kind,
    planPath: row.plan_path,
    status: row.status,
    workflow: row.workflow,
    agent: row.agent,
    worktree: row.worktree,
    branch: row.branch,
    host: row.host_id,
    pid: row.pid,
    startedAt: row.started_at,
    endedAt: row.ended_at,
    interruptedAt: row.interrupted_at,
    interruptionType: row.interruption_type,
    resumable: isOffered,
    here: isOfThisClone(ports, row),
    resumeWith: isOffered ? resumeCommandLine(row.id) : null,
    stopped,
    pausedUntil: row.paused_until,
    focus: row.focus,
    snapshotRef: row.snapshot_ref ?? kept ?? null,
    logFolder: row.log_folder,
    at: last ? checkpointView(last, row, usage) : null,
    usage: usageView([...usage.values()]),
  };
}

const checkpointView = (
  row: CheckpointRow,
  { log_folder }: SessionRow,
  usage: SessionUsage,
): CheckpointView => ({
  number: row.number,
  planPath: row.plan_path,
  anchor: row.anchor,
  iteration: row.iteration,
  command: row.command,
  type: row.type,
  specId: row.spec_found ?? row.spec_id,
  startedAt: row.started_at,
  endedAt: row.ended_at,
  outcome: row.outcome,
  exitCode: row.exit_code,
  filesModified: storedJson<readonly string[]>(row.files_modified, []),
  snapshotRef: row.snapshot_ref,
  log: row.log === null || log_folder === null ? null : `${log_folder}/${row.log}.log`,
  outputTail: row.output_tail,
  usage: usageView([usage.get(row.number) ?? []].flat()),
});
