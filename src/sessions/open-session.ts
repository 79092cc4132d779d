import { Failure, type Instant } from "../domain/index.ts";
import type { Database, Lifeline, Ports, Sql, Worktree } from "../platform/ports/index.ts";
import { endSession } from "./sql/end-session.ts";
import { insertSession } from "./sql/insert-session.ts";
import { noteSnapshot } from "./sql/note-snapshot.ts";
import { pauseSession } from "./sql/pause-session.ts";
import { rehomeSession } from "./sql/rehome-session.ts";
import { reopenSessionRow } from "./sql/reopen-session.ts";
import { forgetOldRequests, journal } from "../journal/index.ts";

export interface OpenSessionRequest {
  readonly plan?: string | undefined;
  readonly worktree: Worktree;
  /** What is checked out there, where a session is resumed. */
  readonly branch?: string | undefined;
  /** What a run was asked to do; a session that has it can be resumed. */
  readonly run?: RunDetails | undefined;
}

/** What is known of a run from its first moment on. */
export interface RunDetails {
  readonly runId: string;
  readonly kind: "run" | "improve" | "verify" | "plan";
  readonly workflow: string;
  readonly agent: string;
  readonly branch: string | undefined;
  readonly base: string | undefined;
  readonly focus: string | undefined;
  /** JSON; undefined for what is begun anew rather than resumed. */
  readonly configuration: string | undefined;
  readonly logFolder: (session: string) => string;
}

/** Who cut a session off, and when that was last known not to have happened. */
export interface InterruptedBy {
  readonly type: InterruptionType;
  readonly snapshotRef?: string | undefined;
  readonly pausedUntil?: Instant | undefined;
}

export type InterruptionType =
  | "user_interrupt"
  | "termination"
  | "hangup"
  | "process_kill"
  | "usage_limit"
  | "unknown";

export interface OpenSession {
  readonly id: string;
  /** Where it works now: it may move while others hold on to the session. */
  readonly worktree: Worktree;
  /** The branch it has there, for a session of a run. */
  readonly branch: string | undefined;
  /** Ends the session in order. Steps it still holds are free for others from then on. */
  readonly end: (status: "completed" | "failed" | "abandoned") => Promise<void>;
  /** Ends it as cut off: it can be resumed. All that is to be known later is one transaction. */
  readonly interrupt: (by: InterruptedBy) => Promise<void>;
  /** Names the snapshot of one that was ended as cut off before its snapshot was there. */
  readonly noteSnapshot: (ref: string) => Promise<void>;
  /** Says until when it waits; null when it continues. */
  readonly pause: (until: Instant | null) => Promise<void>;
  /** Continues in another worktree, and on its branch if that differs. */
  readonly moveTo: (worktree: Worktree, branch?: string) => Promise<void>;
}

/**
 * Starts a supervised session: while this process lives, no other worker takes its steps, and the moment it dies, any worker may.
 *
 * The lifeline is held before the row exists. The other way round, another process could look between the two, find a
 * session without a lifeline, and declare it dead.
 */
export async function openSession(ports: Ports, request: OpenSessionRequest): Promise<OpenSession> {
  const id = `s-${ports.newId()}`;
  const entry = entryOf(ports, id, request);
  const database = await ports.database({ create: true });
  const lifeline = ports.lifelines.hold(id);
  const { worktree, run } = request;
  try {
    await database.write(async (sql) => {
      await sql.run(insertSession, {
        id,
        plan_path: entry.plan ?? null,
        ...whereIt(ports, worktree),
        run_id: run?.runId ?? null,
        kind: run?.kind ?? null,
        workflow: run?.workflow ?? null,
        agent: run?.agent ?? null,
        branch: run?.branch ?? null,
        base: run?.base ?? null,
        focus: run?.focus ?? null,
        configuration: run?.configuration ?? null,
        log_folder: run?.logFolder(id) ?? null,
        now: sql.now,
      });
      const { pid } = ports.processes.self();
      await journal(sql, { event: "session-opened", ...entry, detail: { pid } });
      await forgetOldRequests(sql);
    });
  } catch (error) {
    lifeline.letGo();
    ports.lifelines.forget(id);
    throw error;
  }
  return sessionOf(ports, database, id, request, lifeline);
}

/**
 * Takes an interrupted session up again in this process, under its own id.
 *
 * As when it was opened, the lifeline comes first. A lifeline that a process holds is a session that runs.
 */
export async function reopenSession(
  ports: Ports,
  id: string,
  request: OpenSessionRequest,
): Promise<OpenSession | undefined> {
  if (ports.lifelines.look(id) === "held") return undefined;
  const database = await ports.database();
  const lifeline = ports.lifelines.hold(id);
  const { worktree, branch = null } = request;
  const entry = entryOf(ports, id, request);
  try {
    const isOurs = await database.write(async (sql) => {
      if ((await sql.run(reopenSessionRow, { id, branch, ...whereIt(ports, worktree) })) !== 1) return false;
      await journal(sql, {
        event: "session-resumed",
        ...entry,
        detail: { pid: ports.processes.self().pid },
      });
      return true;
    });
    if (isOurs) return sessionOf(ports, database, id, request, lifeline);
  } catch (error) {
    // Held on, no process could resume the session as long as this process lives.
    lifeline.letGo();
    throw error;
  }
  lifeline.letGo();
  return undefined;
}

/** What every line of the journal about a session says. */
function entryOf(ports: Ports, id: string, { plan, worktree }: OpenSessionRequest) {
  const key = plan === undefined ? undefined : ports.plans.locate(plan).key;
  return { ...(key === undefined ? {} : { plan: key }), worktree: worktree.path, session: id };
}

function whereIt(ports: Ports, worktree: Worktree) {
  const { pid, startedAt } = ports.processes.self();
  return {
    worktree: worktree.path,
    worktree_id: worktree.id,
    pid,
    process_started_at: startedAt,
    boot_id: ports.machine.bootId,
    host_id: ports.machine.hostId,
  };
}

function sessionOf(
  ports: Ports,
  database: Database,
  id: string,
  request: OpenSessionRequest,
  lifeline: Lifeline,
): OpenSession {
  let { worktree } = request;
  let branch = request.run?.branch;
  const entry = () => entryOf(ports, id, { ...request, worktree });
  const { pid, process_started_at, boot_id } = whereIt(ports, worktree);
  const self = { id, pid, process_started_at, boot_id };
  /** One transaction. A caller that is late changes nothing, and leaves the lifeline's file to its holder. */
  const finish = async (status: string, type: InterruptionType | null, note: (sql: Sql) => Promise<void>) => {
    const wasOurs = await database.write(async (sql) => {
      const { now } = sql;
      const interrupted = { interrupted_at: type === null ? null : now, interruption_type: type };
      if ((await sql.run(endSession, { ...self, status, ...interrupted, now })) === 0) return false;
      await note(sql);
      return true;
    });
    lifeline.letGo();
    if (wasOurs) ports.lifelines.forget(id);
  };
  return {
    id,
    get worktree() {
      return worktree;
    },
    get branch() {
      return branch;
    },
    end: (status) =>
      finish(status, null, (sql) => journal(sql, { event: "session-ended", ...entry(), detail: { status } })),
    interrupt: ({ type, snapshotRef, pausedUntil }) =>
      finish("interrupted", type, async (sql) => {
        if (snapshotRef !== undefined) await sql.run(noteSnapshot, { ...self, snapshot_ref: snapshotRef });
        if (pausedUntil !== undefined) await sql.run(pauseSession, { ...self, paused_until: pausedUntil });
        const cut = { interruption_type: type, snapshot: snapshotRef ?? null };
        const detail = { ...cut, paused_until: pausedUntil ?? null };
        await journal(sql, { event: "session-interrupted", ...entry(), detail });
      }),
    async noteSnapshot(ref) {
      await database.write((sql) => sql.run(noteSnapshot, { ...self, snapshot_ref: ref }));
    },
    async pause(until) {
      await database.write((sql) => sql.run(pauseSession, { ...self, paused_until: until }));
    },
    async moveTo(to, onBranch) {
      const moved = { ...self, worktree: to.path, worktree_id: to.id, branch: onBranch ?? null };
      if ((await database.write((sql) => sql.run(rehomeSession, moved))) === 0)
        throw new Failure("session/over", `Session ${id} is not this process's any more.`, {
          session_id: id,
        });
      worktree = to;
      branch = onBranch ?? branch;
    },
  };
}
