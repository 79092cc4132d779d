import { Failure } from "../domain/index.ts";
import type { Ports, ProcessRecord } from "../platform/ports/index.ts";
import { forgetProcess } from "./sql/forget-process.ts";
import { type LeftOverRow, listLeftOvers } from "./sql/list-left-overs.ts";
import { journal, storedJson } from "../journal/index.ts";

export interface LeftOvers {
  /** Whatever this session ran. */
  readonly session?: string | undefined;
  /** Whatever ran in this worktree. */
  readonly worktreeId?: string | undefined;
  /** Whatever ran for this step. */
  readonly plan?: string | undefined;
  readonly anchor?: string | undefined;
  readonly graceMs?: number | undefined;
}

interface LeftOver {
  readonly row: LeftOverRow;
  readonly record: ProcessRecord;
}

/**
 * Stops what agents of dead sessions left running, before their work is handed on.
 *
 * Their claims are fenced off already, but an agent writes files without asking Pawl. What cannot be stopped keeps
 * everybody else out.
 */
export async function stopLeftOvers(ports: Ports, where: LeftOvers): Promise<readonly number[]> {
  const records = await leftOvers(ports, where);
  if (records.length === 0) return [];
  const database = await ports.database();
  const { supervisor } = await ports.running();
  const stopped: number[] = [];
  for (const { row, record } of records) {
    const graceMs = where.graceMs ?? GRACE_MS;
    const { stopped: gone, left } = await supervisor.stopLeftOver(record, { graceMs });
    if (left.length > 0)
      throw new Failure(
        "run/not-stopped",
        `Session ${row.session_id} is dead, but processes that it started cannot be stopped: ${left.map(({ pid }) => pid).join(", ")}.`,
        { session_id: row.session_id, left },
      );
    stopped.push(...gone.map(({ pid }) => pid));
    await database.write(async (sql) => {
      const { session_id, number, process } = row;
      // Looked for once; a number that a stranger gets later no longer matters.
      await sql.run(forgetProcess, { session_id, number, process: process! });
      if (gone.length === 0) return;
      await journal(sql, {
        event: "left-over-stopped",
        ...(row.plan_path === null ? {} : { plan: row.plan_path }),
        ...(row.anchor === null ? {} : { anchor: row.anchor }),
        session: session_id,
        detail: { pids: gone.map(({ pid }) => pid) },
      });
    });
  }
  return stopped;
}

/** The sessions of this machine that are over and whose agents still run. Looks, and stops none of them. */
export async function stillRunning(ports: Ports): Promise<ReadonlySet<string>> {
  const records = await leftOvers(ports, undefined);
  if (records.length === 0) return new Set();
  const { supervisor } = await ports.running();
  return new Set(
    records.filter(({ record }) => supervisor.isStillRunning(record)).map(({ row }) => row.session_id),
  );
}

/**
 * In a copy of a repository the state names processes of the original, whose run may well be alive: they are not this
 * one's to stop.
 */
async function leftOvers(ports: Ports, where: LeftOvers | undefined): Promise<readonly LeftOver[]> {
  const database = await ports.database();
  const open = await database.read((sql) =>
    sql.all(listLeftOvers, {
      host_id: ports.machine.hostId,
      everywhere: where === undefined ? 1 : 0,
      session_id: where?.session ?? null,
      worktree_id: where?.worktreeId ?? null,
      plan_path: where?.plan ?? null,
      anchor: where?.anchor ?? null,
    }),
  );
  return open
    .filter(({ worktree }) => !ports.repository.isOfAnother(worktree))
    .map((row) => ({ row, record: storedJson<Partial<ProcessRecord>>(row.process, {}) }))
    .filter((one): one is LeftOver => one.record.bootId === ports.machine.bootId);
}

const GRACE_MS = 5000;
