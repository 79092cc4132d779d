import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Connection } from "../../src/platform/sqlite/driver.ts";

/** Every row of every table, without what differs from run to run: times, generated names, pids. */
export type World = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;

/** What a person would call the state: everything but the record of how it came about. */
export const RECORDS = ["events", "requests", "sessions"] as const;

export function dumpWorld(connection: Connection, home: string): World {
  const plain = plainText(home);
  const tables = connection
    .prepare(
      "select name from sqlite_master where type = 'table' and name not like 'sqlite\\_%' escape '\\' order by name",
    )
    .all()
    .map((row) => String(row["name"]));
  return Object.fromEntries(
    tables.map((table) => [
      table,
      connection
        .prepare(
          `select * from ${table} order by 1, 2, 3`.replace(", 2, 3", COLUMNS_FEW.has(table) ? "" : ", 2, 3"),
        )
        .all()
        .map((row) =>
          Object.fromEntries(
            Object.entries(row).map(([column, value]) => [column, plainValue(column, value, plain)]),
          ),
        ),
    ]),
  );
}

const COLUMNS_FEW = new Set(["schema_version"]);

function plainValue(column: string, value: unknown, plain: (text: string) => string): unknown {
  if (value === null) return null;
  if (column === "lease_uptime_ms" || column === "pid") return "<number>";
  if (column === "lease_boot_id" || column === "boot_id" || column === "process_started_at") return "<boot>";
  return typeof value === "string" ? plain(value) : value;
}

/** Times, generated ids and the folder of this run become words. */
export function plainText(home: string): (text: string) => string {
  const ids = new Map<string, string>();
  return (text) =>
    text
      .replaceAll(home, "<home>")
      .replace(/\d{4}-\d\d-\d\dT\d{6}\d{3}Z-[0-9a-f]{8}/g, "<saved>")
      .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, "<time>")
      .replace(/"pid":\d+/g, '"pid":<number>')
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, (id) => {
        const known = ids.get(id) ?? `<id ${ids.size + 1}>`;
        ids.set(id, known);
        return known;
      });
}

/** Who may read what: a crash must not leave a file open to others that would have been private. */
export function modesOf(stateDir: string): Readonly<Record<string, string>> {
  if (!existsSync(stateDir)) return {};
  const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);
  const files = readdirSync(stateDir).filter((name) => name === "state.db" || name === "ID");
  return Object.fromEntries([
    [".", mode(stateDir)],
    ...files.map((name) => [name, mode(join(stateDir, name))] as const),
  ]);
}
