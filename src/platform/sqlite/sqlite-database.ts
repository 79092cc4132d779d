import { type Instant, toInstant } from "../../domain/index.ts";
import {
  type Clock,
  type Database,
  type FileStamp,
  NOW,
  type Params,
  type Sql,
  type Statement,
} from "../ports/index.ts";
import { serialQueue } from "../index.ts";
import { databaseFiles } from "./database-files.ts";
import type { Connection } from "./driver.ts";
import { sqliteFailure } from "./failures.ts";
import { BUSY_FLOOR_MS, retryWhileBusy } from "./retry-while-busy.ts";

interface Opened {
  readonly connection: Connection;
  readonly path: string;
  readonly clock: Clock;
  readonly random: () => number;
  /** The file as it was when the connection was made. */
  readonly opened: FileStamp | undefined;
}

type Prepared = ReturnType<Connection["prepare"]>;

/** One connection. Its transactions run one after another, because a connection can be in one only. */
export function sqliteDatabase({ connection, path, clock, random, opened }: Opened): Database {
  const prepared = new Map<string, Prepared>();
  const prepare = ({ text }: { readonly text: string }): Prepared => {
    let found = prepared.get(text);
    if (!found) {
      found = connection.prepare(text);
      prepared.set(text, found);
    }
    return found;
  };
  const inTurn = serialQueue();
  let commits = 0;
  const files = databaseFiles(path, opened);
  const refuseMoved = (): number => files.refuseMoved(commits > COMMITS_OF_A_COMMAND);

  const transaction = <T>(begin: string, work: (sql: Sql) => Promise<T>): Promise<T> =>
    inTurn(async () => {
      try {
        await retryWhileBusy(() => connection.exec(begin), path, random);
        try {
          const before = files.find();
          const result = await work(sqlAt(toInstant(clock.wallMs()), prepare));
          files.refuseSplitWal();
          connection.exec("commit");
          // Replaced before or in the meantime: what was read is old, and a commit went to a file that no process will read.
          const after = refuseMoved();
          if (begin !== READ) commits += 1;
          const crossed = Math.floor(after / FOLD_BYTES) > Math.floor(before / FOLD_BYTES);
          if (crossed && commits <= COMMITS_OF_A_COMMAND) foldLog(connection);
          return result;
        } catch (error) {
          // A full disk rolls back by itself.
          if (connection.isTransaction) connection.exec("rollback");
          throw error;
        }
      } catch (error) {
        if (files.isLogGone()) foldLog(connection);
        refuseMoved();
        files.refuseSplitWal();
        throw sqliteFailure(error, path);
      }
    });

  return {
    engine: "sqlite",
    where: path,
    read: (work) => transaction(READ, work),
    write: (work) => transaction("begin immediate", work),
    check: () => inTurn(async () => problemsOf(connection)),
    facts: () => inTurn(async () => factsOf(connection)),
    close: () => inTurn(async () => connection.close()),
  };
}

function sqlAt(now: Instant, prepare: (statement: { readonly text: string }) => Prepared): Sql {
  const at = <P extends Params>(params: P): P => (params["now"] === NOW ? { ...params, now } : params);
  const all = <P extends Params, R>(statement: Statement<P, R>, params: P): readonly R[] =>
    prepare(statement).all(at(params)) as unknown as readonly R[];
  return {
    now,
    all: async (statement, params) => all(statement, params),
    get: async (statement, params) => all(statement, params)[0],
    run: async (statement, params) => Number(prepare(statement).run(at(params)).changes),
    send: (statement, params) => void prepare(statement).run(at(params)),
  };
}

/**
 * How far the log grows before it is folded into the database.
 *
 * SQLite folds it by itself only while some process keeps the database open. Commands come and go: each begins by
 * reading the whole log, and none of them would ever start it anew, so it would grow for ever.
 */
const FOLD_BYTES = 512 * 1024;

const READ = "begin";

/** A process that commits more than a command does stays, and SQLite folds for it. */
const COMMITS_OF_A_COMMAND = 8;

/** When another process reads at this moment, a later command folds: waiting would make rivals wait too. */
export function foldLog(connection: Connection): void {
  try {
    connection.exec("pragma busy_timeout = 0; pragma wal_checkpoint(truncate)");
  } catch {
    // The commit is durable whatever becomes of this.
  } finally {
    connection.exec(`pragma busy_timeout = ${BUSY_FLOOR_MS}`);
  }
}

/** Damage may go so deep that even the look at it fails; then that is what is wrong. */
function problemsOf(connection: Connection): readonly string[] {
  try {
    return damageOf(connection);
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}

function damageOf(connection: Connection): readonly string[] {
  const integrity = connection
    .prepare("pragma integrity_check(20)")
    .all()
    .map((row) => String(row["integrity_check"]))
    .filter((line) => line !== "ok");
  const dangling = connection.prepare("pragma foreign_key_check").all();
  return [...integrity, ...dangling.map((row) => `${String(row["table"])}: a row points at nothing`)];
}

function factsOf(connection: Connection): Readonly<Record<string, string | number>> {
  const one = (sql: string) => Object.values(connection.prepare(sql).get() ?? {})[0] as string | number;
  return {
    sqlite_version: one("select sqlite_version()"),
    schema_version: one("select version from schema_version"),
    journal_mode: one("pragma journal_mode"),
    synchronous: one("pragma synchronous"),
  };
}
