import type { Sql } from "../ports/database.ts";
import type { Ports } from "../ports/index.ts";
import { endSession } from "../store/statements/end-session.ts";
import { listRunningSessions } from "../store/statements/list-running-sessions.ts";
import type { SessionRow } from "../store/statements/rows.ts";
import { journal } from "./journal.ts";

/**
 * Notices sessions of this machine whose process is gone.
 *
 * Nobody can record its own SIGKILL, so whoever looks next does. Death is only concluded from proof: another boot, a
 * free lifeline, or, where the lifeline is missing, a process that is certainly not the one that was recorded.
 */
export async function reap(ports: Ports): Promise<readonly string[]> {
  const database = await ports.database();
  const running = await database.read((sql) =>
    sql.all(listRunningSessions, { host_id: ports.machine.hostId }),
  );
  const dead = running.filter((session) => isDead(ports, session));
  if (dead.length === 0) return [];
  return database.write(async (sql) => {
    const ended: string[] = [];
    for (const session of dead) if (await interrupt(sql, session)) ended.push(session.id);
    return ended;
  });
}

export function isDead({ machine, lifelines, processes }: Ports, session: SessionRow): boolean {
  if (session.boot_id !== machine.bootId) return true;
  const seen = lifelines.look(session.id);
  if (seen !== "unknown") return seen === "free";
  return !processes.mayLive({ pid: session.pid, startedAt: session.process_started_at });
}

async function interrupt(sql: Sql, session: SessionRow): Promise<boolean> {
  const changed = await sql.run(endSession, {
    id: session.id,
    status: "interrupted",
    interrupted_at: sql.now,
    interruption_type: "process_kill",
    now: sql.now,
  });
  if (changed === 0) return false;
  await journal(sql, {
    event: "session-interrupted",
    ...(session.plan_path === null ? {} : { plan: session.plan_path }),
    worktree: session.worktree,
    session: session.id,
    detail: { interruption_type: "process_kill", pid: session.pid },
  });
  return true;
}
