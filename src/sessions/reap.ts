import type { Sql } from "../platform/ports/database.ts";
import type { Ports } from "../platform/ports/index.ts";
import { endSession } from "./sql/end-session.ts";
import { lastSign } from "../journal/sql/last-sign.ts";
import { listRunningSessions } from "./sql/list-running-sessions.ts";
import type { SessionRow } from "../platform/rows.ts";
import { journal } from "../journal/journal.ts";

/**
 * Notices sessions of this machine whose process is gone.
 *
 * Nobody can record its own SIGKILL, so whoever looks next does. Death is only concluded from proof: another boot, a
 * free lifeline, or, where the lifeline is missing, a process that is certainly not the one that was recorded.
 */
export async function reap(ports: Ports): Promise<readonly string[]> {
  const database = await ports.database();
  const dead = await database.read((sql) => listDead(ports, sql));
  if (dead.length === 0) return [];
  return database.write(async (sql) => {
    const ended: string[] = [];
    for (const session of dead) if (await interrupt(sql, session)) ended.push(session.id);
    return ended;
  });
}

/**
 * Inside a transaction: whether a session is dead and not recorded as such yet. The caller leaves the transaction then,
 * because that end is an effect of its own, which stays whatever becomes of the call. Nearly always there is none, and
 * the look costs no transaction of its own.
 */
export const hasDeadSessions = async (ports: Ports, sql: Sql): Promise<boolean> =>
  (await listDead(ports, sql)).length > 0;

/** What a reading answers that found a dead session. */
export const UNREAPED = Symbol("unreaped");

/** Reads, and reads again after the dead were recorded. */
export async function afterReaping<T>(ports: Ports, read: () => Promise<T | typeof UNREAPED>): Promise<T> {
  for (;;) {
    const found = await read();
    if (found !== UNREAPED) return found;
    await reap(ports);
  }
}

const listDead = async (ports: Ports, sql: Sql): Promise<readonly SessionRow[]> =>
  (await sql.all(listRunningSessions, { host_id: ports.machine.hostId })).filter((session) =>
    isDead(ports, session),
  );

export function isDead(
  { machine, lifelines, processes }: Ports,
  session: Pick<SessionRow, "id" | "boot_id" | "pid" | "process_started_at">,
): boolean {
  if (session.boot_id !== machine.bootId) return true;
  const seen = lifelines.look(session.id);
  if (seen !== "unknown") return seen === "free";
  return !processes.mayLive({ pid: session.pid, startedAt: session.process_started_at });
}

async function interrupt(sql: Sql, session: SessionRow): Promise<boolean> {
  const { id, pid, process_started_at, boot_id } = session;
  const changed = await sql.run(endSession, {
    id,
    pid,
    process_started_at,
    boot_id,
    status: "interrupted",
    interrupted_at: (await sql.get(lastSign, { session_id: id }))?.at ?? sql.now,
    interruption_type: "process_kill",
    now: sql.now,
  });
  if (changed === 0) return false;
  await journal(sql, {
    event: "session-interrupted",
    ...(session.plan_path === null ? {} : { plan: session.plan_path }),
    worktree: session.worktree,
    session: id,
    detail: { interruption_type: "process_kill", pid },
  });
  return true;
}
