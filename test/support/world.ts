import { createHash } from "node:crypto";
import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { type Connection, loadDriver } from "../../src/platform/sqlite/driver.ts";
import type { TestRepository } from "./repository.ts";

/** Opens a database file beside Pawl, for a look or for damage. */
export function withDatabase<T>(path: string, work: (connection: Connection) => T, readOnly = false): T {
  const connection = loadDriver().open(path, { readOnly, timeout: 10_000 });
  try {
    return work(connection);
  } finally {
    connection.close();
  }
}

export type Row = Record<string, unknown>;

export const query = (path: string, sql: string, ...params: readonly (string | number | null)[]): Row[] =>
  withDatabase(path, (connection) => connection.prepare(sql).all(...params) as Row[], true);

/** Every row of every table. */
export const dump = (path: string): Record<string, Row[]> =>
  withDatabase(
    path,
    (connection) => {
      const tables = connection
        .prepare("select name from sqlite_master where type = 'table' order by name")
        .all();
      return Object.fromEntries(
        tables.map(({ name }) => [
          String(name),
          sorted(connection.prepare(`select * from "${String(name)}"`).all() as Row[]),
        ]),
      );
    },
    true,
  );

/** Two dumps of the same rows are equal, in whatever order the engine gives them. */
const sorted = (rows: readonly Row[]): Row[] =>
  rows
    .map((row) => [JSON.stringify(row), row] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, row]) => row);

/** What a command that fails must leave as it was: every row, every file of the work tree, every ref. */
export interface World {
  readonly tables: Record<string, Row[]> | string;
  readonly files: readonly string[];
  readonly refs: string;
}

export function worldOf(repository: Pick<TestRepository, "path" | "git">): World {
  const state = join(repository.path, ".git/pawl");
  const database = join(state, "state.db");
  return {
    tables: tablesOf(database),
    files: [...filesBelow(repository.path, ".git"), ...(existsSync(state) ? stateFiles(state) : [])],
    // The repository may belong to another user by now.
    refs: repository.git("-c", "safe.directory=*", "for-each-ref"),
  };
}

/** The rows, or the bytes of a file that is no database. */
function tablesOf(path: string): World["tables"] {
  if (!existsSync(path)) return "absent";
  if (!lstatSync(path).isFile()) return "no file";
  try {
    return dump(path);
  } catch {
    return digest(path);
  }
}

/** The log and its index come and go with every reader. */
const stateFiles = (state: string): readonly string[] =>
  filesBelow(state).filter((line) => !/^state\.db(?:-wal|-shm)? /.test(line));

export function filesBelow(folder: string, except?: string): readonly string[] {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => except === undefined || (name !== except && !name.startsWith(`${except}/`)))
    .toSorted();
  return names.map((name) => `${name} ${describe(join(folder, name))}`);
}

function describe(path: string): string {
  const stat = lstatSync(path);
  if (stat.isSymbolicLink()) return `-> ${readlinkSync(path)}`;
  if (!stat.isFile()) return stat.isDirectory() ? "folder" : "special";
  return stat.size > 64 * 1024 * 1024 ? `${stat.size} bytes` : digest(path);
}

const digest = (path: string): string => createHash("sha256").update(readFileSync(path)).digest("hex");
