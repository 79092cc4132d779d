import { chmodSync, existsSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { allMoves, Failure } from "../../domain/index.ts";
import { MIGRATIONS } from "../migrations/index.ts";
import { SCHEMA_VERSION, syncPath } from "../index.ts";
import { type Connection, loadDriver } from "./driver.ts";
import { retryWhileBusy } from "./retry-while-busy.ts";
import { schemaVersion } from "./schema-version.ts";

/** "Pawl" in ASCII: tells tools like `file` whose database this is. */
const APPLICATION_ID = 0x5061776c;

/**
 * Brings the schema up to date, in one transaction.
 *
 * Many processes may find the same old schema at once: the first to get the write lock migrates, the others look
 * again under the lock and find nothing to do. A kill at any point leaves the old schema whole.
 */
export async function migrateSqlite(
  connection: Connection,
  path: string,
  random: () => number,
): Promise<void> {
  await retryWhileBusy(() => connection.exec("pragma journal_mode = wal"), path, random);
  connection.exec("pragma synchronous = full; pragma foreign_keys = off");
  await retryWhileBusy(() => connection.exec("begin immediate"), path, random);
  try {
    const found = schemaVersion(connection);
    keepCopy(path, found);
    for (const migration of MIGRATIONS.slice(found)) connection.exec(migration.sqlite);
    if (found < SCHEMA_VERSION) finish(connection);
    connection.exec("commit");
  } catch (error) {
    // A full disk rolls back by itself.
    if (connection.isTransaction) connection.exec("rollback");
    throw error;
  }
}

function finish(connection: Connection): void {
  connection.exec("delete from step_transitions");
  const insert = connection.prepare(
    "insert into step_transitions (from_status, event, to_status) values (?, ?, ?)",
  );
  for (const { from, event, to } of allMoves()) insert.run(from, event, to);
  connection.exec(
    `update schema_version set version = ${SCHEMA_VERSION}; pragma application_id = ${APPLICATION_ID}`,
  );
  const broken = connection.prepare("pragma foreign_key_check").all();
  if (broken.length > 0) {
    throw new Failure("store/corrupt", "Rows of the old database point at rows that do not exist.", {
      rows: broken.length,
    });
  }
}

/**
 * A database that has content is copied before it is rebuilt, whole or not at all.
 *
 * Under the lock of the migration, so that of many processes only one makes a copy, and what a killed one has left has
 * no owner and is removed: each is as large as the database. Another connection makes it, as the engine copies from none
 * that is in a transaction; it sees what was there before.
 */
function keepCopy(path: string, version: number): void {
  const copy = `${path}.v${version}.bak`;
  if (version === 0 || version >= SCHEMA_VERSION || existsSync(copy)) return;
  const unfinished = `${copy}.unfinished`;
  drop(unfinished);
  copyInto(path, unfinished);
  // The engine does not sync what it copies to, and what stays behind is in no other place.
  chmodSync(unfinished, 0o600);
  syncPath(unfinished);
  renameSync(unfinished, copy);
  syncPath(dirname(copy));
}

function copyInto(path: string, target: string): void {
  const connection = loadDriver().open(path, { readOnly: true });
  try {
    connection.prepare("vacuum into ?").run(target);
  } catch (error) {
    // A full disk needs the room, and half of a copy is useless.
    drop(target);
    throw error;
  } finally {
    connection.close();
  }
}

function drop(unfinished: string): void {
  for (const left of [unfinished, `${unfinished}-journal`]) rmSync(left, { force: true });
}
