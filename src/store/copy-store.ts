import { Failure, stateMovedFrom } from "../domain/index.ts";
import type { Database, Params, Ports, Sql, StoreKind, Value } from "../platform/ports/index.ts";
import { COPIED, COPIED_TABLES, type CopiedTable, tableRows, writeRow } from "../plans/index.ts";
import type { SessionRow, StepRow } from "../platform/index.ts";
import { refuseAtWork } from "./refuse-at-work.ts";

export interface CopyAnswer {
  readonly from: string;
  readonly to: string;
  /** False when the target held exactly this already. */
  readonly copied: boolean;
  readonly tables: readonly { readonly table: CopiedTable; readonly rows: number; readonly sha256: string }[];
}

export interface CopyStoreRequest {
  readonly from: StoreKind;
  readonly to: StoreKind;
}

/**
 * Copies everything from one database to another, and compares what arrived with what was sent.
 *
 * The target must be empty, or hold exactly the same: then there is nothing to do. What was moved away from it before
 * is out of date, and put aside. It all happens in one transaction of the target, so a kill leaves it empty. The source
 * keeps its rows and is marked as moved: a server in the transaction that reads it, so that nothing is written behind
 * the copy; a file afterwards, and a call that was killed before that does it when it is repeated.
 */
export async function copyStore(ports: Ports, { from, to }: CopyStoreRequest): Promise<CopyAnswer> {
  if (from === to) throw new Failure("usage/wrong", `Both sides are ${from}.`, {});
  const source = await ports.openStore(from, { create: false, evenIfMoved: true });
  try {
    await refuseOutOfDate(ports, source);
    const { where, ...answer } = await copyInto(ports, source, to);
    if (to === "sqlite") ports.moved.remove();
    else ports.moved.set(where);
    return answer;
  } finally {
    await source.close();
  }
}

/** What went from a server to another machine continues there; only the move to this one may be repeated. */
async function refuseOutOfDate(ports: Ports, { movedAway, where }: Database): Promise<void> {
  const to = await movedAway?.where();
  if (to === undefined || to === placeOf(ports)) return;
  throw stateMovedFrom(where, to);
}

/** By what people on other machines find the file. */
const placeOf = ({ stateDir, hostIn }: Ports): string => `${stateDir} on machine ${hostIn("postgres")}`;

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
  const target = await openTarget(ports, to);
  try {
    const copy = (sql: Sql) => copyAll(ports, { source, sql, target, to });
    const { movedAway } = source;
    const answer = movedAway
      ? await source.write(async (sql) => {
          await movedAway.mark(sql, placeOf(ports));
          return copy(sql);
        })
      : await source.read(copy);
    return { ...answer, where: target.where };
  } finally {
    await target.close();
  }
}

/** A server whose state came here gets it back; a file whose state went to that server has nothing newer to give. */
async function openTarget(ports: Ports, to: StoreKind): Promise<Database> {
  const target = await ports.openStore(to, NEW);
  const gone = await target.movedAway?.where();
  if (gone === undefined) return target;
  try {
    if (ports.moved.where() !== undefined) throw stateMovedFrom(target.where, gone);
    await target.movedAway?.putAside();
  } finally {
    await target.close();
  }
  return ports.openStore(to, NEW);
}

interface Copying {
  readonly source: Database;
  readonly sql: Sql;
  readonly target: Database;
  readonly to: StoreKind;
}

async function copyAll(ports: Ports, { source, sql: reading, target, to }: Copying): Promise<CopyAnswer> {
  const { sha256 } = ports;
  const rows = renamed(ports, await readAll(reading), to);
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
      throw new Failure("internal/bug", "The copy differs from the source.", { wanted, arrived });
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
  for (const table of COPIED_TABLES) rows.set(table, await sql.all(tableRows(table), {}));
  return rows;
}

/** Only ids of a shared server have the id of a clone in them. */
const OF_SOME_CLONE = /\/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\//;

type Rename = (name: Value) => Value;

/** Which columns hold a name that is another one in another kind of store. */
const NAMED = ["steps", "sessions", "commit_intents", "tree_verdicts"] as const;
const HOSTS: ReadonlySet<string> = new Set(["claimed_host", "host_id"]);

/**
 * The same rows by the names that count in the target.
 *
 * Under its old name this machine would take its own sessions for those of another one: a dead one would never be
 * noticed, and a step of it would wait for its lease.
 */
function renamed(ports: Ports, rows: Rows, to: StoreKind): Rows {
  const worktree = worktreeName(to, ports.worktreePrefix());
  const from = ports.hostIn(to === "postgres" ? "sqlite" : "postgres");
  const host: Rename = (name) => (name === from ? ports.hostIn(to) : name);
  const result = new Map(rows);
  for (const table of NAMED) {
    const names = COPIED[table].flatMap((column): [string, Rename][] => {
      if (HOSTS.has(column)) return [[column, host]];
      return column.endsWith("worktree_id") ? [[column, worktree]] : [];
    });
    const list = (rows.get(table) ?? []).map((row) => ({
      ...row,
      ...Object.fromEntries(names.map(([column, rename]) => [column, rename(row[column] ?? null)])),
    }));
    result.set(table, list);
  }
  return result;
}

/** A worktree's id says on a shared server which clone it belongs to; in the clone's own file it need not. */
const worktreeName =
  (to: StoreKind, prefix: string): Rename =>
  (id) => {
    if (typeof id !== "string") return null;
    // Worktrees of other clones, from an earlier copy, stay theirs.
    if (to === "postgres") return OF_SOME_CLONE.test(id) ? id : `${prefix}${id}`;
    return id.startsWith(prefix) ? id.slice(prefix.length) : id;
  };

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
