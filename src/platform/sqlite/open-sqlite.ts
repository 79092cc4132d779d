import { closeSync, existsSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { Failure, isOlder } from "../../domain/index.ts";
import { fileStamp, makeFolders, SCHEMA_VERSION } from "../index.ts";
import type { Clock, Database } from "../ports/index.ts";
import { stampsBeside } from "./database-files.ts";
import { type Connection, engineVersion, loadDriver, OLDEST_SQLITE, refuseOldEngine } from "./driver.ts";
import { sqliteFailure, isBusy } from "./failures.ts";
import { networkFileSystem } from "./network-file-system.ts";
import { BUSY_FLOOR_MS, retryWhileBusy } from "./retry-while-busy.ts";
import { ALL_OWN_TABLES, COUNT_OWN_TABLES, schemaVersion } from "./schema-version.ts";
import { foldLog, sqliteDatabase } from "./sqlite-database.ts";

export interface OpenSqliteOptions {
  readonly path: string;
  readonly clock: Clock;
  /** Makes the database when there is none. Without it a missing file is a failure. */
  readonly create: boolean;
  /** A database was here: one without tables has lost them with its log. */
  readonly mustHaveContent?: boolean;
  readonly random?: () => number;
}

/** Opens the database in a file, brings its schema up to date, and reads back every setting it depends on. */
export async function openSqlite({
  path,
  clock,
  create,
  mustHaveContent = false,
  random = Math.random,
}: OpenSqliteOptions): Promise<Database> {
  if (!existsSync(path)) {
    if (!create) throw new Failure("store/missing", `There is no database at ${path}.`, { path });
    makeFolders(dirname(path));
  }
  refuseNetwork(dirname(path), path);
  let connection: Connection | undefined;
  try {
    if (create && !existsSync(path)) makePrivate(path);
    if (stampsBeside(path) === undefined && fileStamp(path)?.size !== 0) {
      const { refuseSplitWal } = await import("./split-wal-guard.ts");
      await refuseSplitWal(path, random);
    }
    const made = loadDriver().open(path, { timeout: BUSY_FLOOR_MS });
    connection = made;
    // A process that closes last, or checks whether it is alone, locks the database for a moment.
    if (await retryWhileBusy(() => isAsUsual(made), path, random))
      return sqliteDatabase({ connection, path, clock, random, opened: fileStamp(path) });
    refuseOldEngine(engineVersion(connection));
    const stored = schemaVersion(connection);
    if (stored === 0 && mustHaveContent) {
      throw new Failure("store/missing", `The database ${path} was here and holds nothing now.`, { path });
    }
    if (stored > SCHEMA_VERSION) {
      throw new Failure(
        "store/newer",
        `${path} was written by a newer Pawl (schema ${stored}; this one knows ${SCHEMA_VERSION}).`,
        { path, schema_version: stored, known: SCHEMA_VERSION },
      );
    }
    if (stored < SCHEMA_VERSION) {
      const { migrateSqlite } = await import("./migrate-sqlite.ts");
      await migrateSqlite(connection, path, random);
      // A new schema is not left in the log alone: a process that loses the log should still see that there was a database.
      foldLog(connection);
    }
    configure(connection, path);
    return sqliteDatabase({ connection, path, clock, random, opened: fileStamp(path) });
  } catch (error) {
    connection?.close();
    throw sqliteFailure(error, path);
  }
}

const SETTINGS = { journal_mode: "wal", synchronous: 2, foreign_keys: 1 } as const;
const SET = "pragma foreign_keys = on; pragma synchronous = full; pragma temp_store = memory";

/**
 * All that is checked before a database is used, in one statement: preparing them one by one costs a command more than
 * its claim does. Anything unusual is checked again on its own, and reported.
 */
const LOOK = `
  select sqlite_version() as version,
         (select max(version) from schema_version) as schema,
         (${COUNT_OWN_TABLES}) as tables,
         ${Object.keys(SETTINGS)
           .map((name) => `(select ${name} from pragma_${name}) as ${name}`)
           .join(", ")}`;

function isAsUsual(connection: Connection): boolean {
  try {
    connection.exec(SET);
    const seen = connection.prepare(LOOK).get() ?? {};
    return (
      !isOlder(String(seen["version"]), OLDEST_SQLITE) &&
      seen["schema"] === SCHEMA_VERSION &&
      seen["tables"] === ALL_OWN_TABLES &&
      Object.entries(SETTINGS).every(([name, wanted]) => seen[name] === wanted)
    );
  } catch (error) {
    if (isBusy(error)) throw error;
    return false;
  }
}

/**
 * An empty file that only its owner can read, for SQLite to fill.
 *
 * SQLite makes files for everybody to read. Closing the file to others afterwards would leave it open for ever when the
 * process is killed in between.
 */
function makePrivate(path: string): void {
  closeSync(openSync(path, "a", 0o600));
}

function configure(connection: Connection, path: string): void {
  connection.exec(SET);
  for (const [name, wanted] of Object.entries(SETTINGS)) {
    const found = connection.prepare(`pragma ${name}`).get()?.[name];
    if (found !== wanted) {
      throw new Failure("store/open-failed", `${path}: ${name} is ${String(found)}, and must be ${wanted}.`, {
        path,
        setting: name,
      });
    }
  }
}

/** Locks and shared memory of the write-ahead log do not work over a network: two machines would not see each other. */
function refuseNetwork(folder: string, path: string): void {
  const name = networkFileSystem(folder);
  if (name === undefined) return;
  throw new Failure(
    "store/network",
    `${path} is on a network file system (${name}), where SQLite cannot keep its promises.`,
    {
      path,
      file_system: name,
    },
  );
}
