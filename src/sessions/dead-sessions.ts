import type { Ports, Sql } from "../platform/ports/index.ts";
import { endSession } from "./sql/end-session.ts";
import { journal, lastSign } from "../journal/index.ts";
import { listRunningSessions } from "./sql/list-running-sessions.ts";
import type { SessionRow } from "../platform/index.ts";

/**
 * Sessions of this machine whose process is gone, and whose end is not recorded yet.
 *
 * Death is only concluded from proof: another boot, a free lifeline, or, where the lifeline is missing, a process that
 * is certainly not the one that was recorded.
 */
export const deadSessions = async (ports: Ports, sql: Sql): Promise<readonly SessionRow[]> =>
  (await sql.all(listRunningSessions, { host_id: ports.machine.hostId })).filter((session) =>
    isDead(ports, session),
  );

/** Records that sessions are over, and answers which of them no other process had recorded meanwhile. */
export async function recordEnds(sql: Sql, dead: readonly SessionRow[]): Promise<readonly string[]> {
  const ended: string[] = [];
  for (const session of dead) if (await interrupt(sql, session)) ended.push(session.id);
  return ended;
}

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
