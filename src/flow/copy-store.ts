import { Failure } from "../domain/errors.ts";
import type { Database, Params, Sql, Value } from "../ports/database.ts";
import type { Ports, StoreKind } from "../ports/index.ts";
import {
  COPIED,
  COPIED_TABLES,
  type CopiedTable,
  readTable,
  writeRow,
} from "../store/statements/copy-table.ts";
import type { SessionRow, StepRow } from "../store/statements/rows.ts";
import { refuseAtWork } from "./refuse-at-work.ts";

export interface CopyAnswer {
  readonly from: string;
  readonly to: string;
  /** False when the target held exactly this already. */
  readonly copied: boolean;
  readonly tables: readonly { readonly table: CopiedTable; readonly rows: number; readonly sha256: string }[];
}

export interface CopyRequest {
  readonly from: StoreKind;
  readonly to: StoreKind;
}

/**
 * Copies everything from one database to another, and compares what arrived with what was sent.
 *
 * The target must be empty, or hold exactly the same: then there is nothing to do. It all happens in one transaction
 * of the target, so a kill leaves it empty. The source keeps its rows; an embedded one is marked as moved afterwards, and
 * a call that was killed before that does it when it is repeated.
 */
export async function copyStore(ports: Ports, { from, to }: CopyRequest): Promise<CopyAnswer> {
  if (from === to) throw new Failure("usage/wrong", `Both sides are ${from}.`, {});
  const source = await ports.openStore(from, { create: false, evenIfMoved: true });
  try {
    const { where, ...answer } = await copyInto(ports, source, to);
    if (to === "sqlite") ports.moved.remove();
    else ports.moved.set(where);
    return answer;
  } finally {
    await source.close();
  }
}

type Copied = CopyAnswer & { readonly where: string };

async function copyInto(ports: Ports, source: Database, to: StoreKind): Promise<Copied> {
  try {
    return await copyOpened(ports, source, to);
  } catch (error) {
    const isOld = to === "sqlite" && ports.moved.where() !== undefined;
    if (!isOld || !(error instanceof Failure) || error.problem !== "store/not-empty") throw error;
    ports.moved.putAside();
    return copyOpened(ports, source, to);
  }
}

async function copyOpened(ports: Ports, source: Database, to: StoreKind): Promise<Copied> {
  const target = await ports.openStore(to, NEW);
  try {
    return { ...(await copyAll(ports, source, target, to)), where: target.where };
  } finally {
    await target.close();
  }
}

async function copyAll(ports: Ports, source: Database, target: Database, to: StoreKind): Promise<CopyAnswer> {
  const { sha256, worktreePrefix } = ports;
  const rows = renameWorktrees(await source.read(readAll), to, worktreePrefix());
  const wanted = digests(rows, sha256);
  const copied = await target.write(async (sql) => {
    const before = await readAll(sql);
    if (!isEmpty(before)) {
      const found = digests(before, sha256);
      if (sameDigests(found, wanted)) return false;
      throw new Failure("store/not-empty", `The ${target.engine} database already holds other state.`, {
        tables: found.filter(({ rows: count }) => count > 0),
      });
    }
    // Rows as they were read: their columns are those of the tables.
    refuseAtWork(
      ports,
      rows.get("sessions") as unknown as SessionRow[],
      rows.get("steps") as unknown as StepRow[],
    );
    for (const table of COPIED_TABLES) await writeAll(sql, table, rows.get(table) ?? []);
    const arrived = digests(await readAll(sql), sha256);
    if (!sameDigests(arrived, wanted))
      throw new Failure("internal/bug", "What arrived is not what was sent.", { wanted, arrived });
    return true;
  });
  return { from: source.engine, to: target.engine, copied, tables: wanted };
}

/** Whatever became of a database that was there before: this one is being made, by a person, from another. */
const NEW = { create: true, evenIfLost: true, evenIfMoved: true } as const;

/** So many rows are on their way at once; over a network, one at a time would take the length of the way each. */
const TOGETHER = 200;

async function writeAll(sql: Sql, table: CopiedTable, rows: readonly Params[]): Promise<void> {
  const insert = writeRow(table);
  for (let start = 0; start < rows.length; start += TOGETHER)
    await Promise.all(rows.slice(start, start + TOGETHER).map((row) => sql.run(insert, row)));
}

type Rows = ReadonlyMap<CopiedTable, readonly Params[]>;

async function readAll(sql: Sql): Promise<Rows> {
  const rows = new Map<CopiedTable, readonly Params[]>();
  for (const table of COPIED_TABLES) rows.set(table, await sql.all(readTable(table), {}));
  return rows;
}

/** Only ids of a shared server have the id of a clone in them. */
const OF_SOME_CLONE = /\/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\//;

/** A worktree's id says on a shared server which clone it belongs to; in the clone's own file it need not. */
function renameWorktrees(rows: Rows, to: StoreKind, prefix: string): Rows {
  const rename = (id: Value | undefined): Value => {
    if (typeof id !== "string") return null;
    // Worktrees of other clones, from an earlier copy, stay theirs.
    if (to === "postgres") return OF_SOME_CLONE.test(id) ? id : `${prefix}${id}`;
    return id.startsWith(prefix) ? id.slice(prefix.length) : id;
  };
  const renamed = new Map(rows);
  for (const table of ["steps", "sessions", "commit_intents"] as const) {
    const columns = COPIED[table].filter((column) => column.endsWith("worktree_id"));
    const list = (rows.get(table) ?? []).map((row) => ({
      ...row,
      ...Object.fromEntries(columns.map((column) => [column, rename(row[column])])),
    }));
    renamed.set(table, list);
  }
  return renamed;
}

const isEmpty = (rows: Rows): boolean => [...rows.values()].every((list) => list.length === 0);

const digests = (rows: Rows, sha256: (text: string) => string) =>
  COPIED_TABLES.map((table) => {
    const list = rows.get(table) ?? [];
    const text = list
      .map((row) => JSON.stringify(COPIED[table].map((column) => row[column] ?? null)))
      .join("\n");
    return { table, rows: list.length, sha256: sha256(text) };
  });

const sameDigests = (a: ReturnType<typeof digests>, b: ReturnType<typeof digests>): boolean =>
  a.every(({ sha256 }, index) => sha256 === b[index]?.sha256);
