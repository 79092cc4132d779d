import { Failure } from "../../domain/errors.ts";
import type { Ports } from "../../ports/index.ts";
import type { ProcessRecord } from "../../ports/supervisor.ts";
import { listLeftOvers } from "../../store/statements/list-left-overs.ts";
import { journal } from "../journal.ts";

export interface LeftOvers {
  /** Whatever ran in this worktree. */
  readonly worktreeId?: string | undefined;
  /** Whatever ran for this step. */
  readonly plan?: string | undefined;
  readonly anchor?: string | undefined;
  readonly graceMs?: number | undefined;
}

/**
 * Stops what agents of dead sessions left running, before their work is handed on.
 *
 * Their claims are fenced off already, but an agent writes files without asking anybody. What cannot be stopped keeps
 * everybody else out.
 */
export async function stopLeftOvers(ports: Ports, where: LeftOvers): Promise<readonly number[]> {
  const database = await ports.database();
  const open = await database.read((sql) =>
    sql.all(listLeftOvers, {
      host_id: ports.machine.hostId,
      worktree_id: where.worktreeId ?? null,
      plan_path: where.plan ?? null,
      anchor: where.anchor ?? null,
    }),
  );
  const records = open
    .filter(({ process }) => process !== null)
    .map((row) => ({ row, record: JSON.parse(row.process!) as ProcessRecord }))
    .filter(({ record }) => record.bootId === ports.machine.bootId);
  if (records.length === 0) return [];
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
    if (gone.length === 0) continue;
    stopped.push(...gone.map(({ pid }) => pid));
    await database.write((sql) =>
      journal(sql, {
        event: "left-over-stopped",
        ...(row.plan_path === null ? {} : { plan: row.plan_path }),
        ...(row.anchor === null ? {} : { anchor: row.anchor }),
        session: row.session_id,
        detail: { pids: gone.map(({ pid }) => pid) },
      }),
    );
  }
  return stopped;
}

const GRACE_MS = 5000;
