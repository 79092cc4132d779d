import type { PoolClient } from "pg";
import { Failure } from "../../domain/errors.ts";
import type { Instant } from "../../domain/instant.ts";
import type { Database, Params, Sql, Statement, Value } from "../../ports/database.ts";
import { compile } from "./compile.ts";
import { batch, type Server } from "./connection.ts";
import { asFailure, isCollision, isLost } from "./failures.ts";

export interface PostgresOptions {
  readonly server: Server;
  /** The schema of this repository, quoted. */
  readonly schema: string;
  readonly random?: () => number;
}

/** How often a transaction is begun anew after collisions and broken connections. */
const TRIES = 12;

/**
 * One repository's part of a shared server.
 *
 * Each transaction sets everything it depends on (schema, timeouts) for itself, so it works through a pooler that
 * hands out another connection every time. `read committed` with explicit row locks: the statements say which rows
 * must stand still.
 */
export function postgresDatabase({ server, schema, random = Math.random }: PostgresOptions): Database {
  const { pool, where } = server;

  const attempt = async <T>(access: "read" | "write", work: (sql: Sql) => Promise<T>): Promise<T> => {
    const client = await pool.connect();
    let broken: Error | undefined;
    client.on("error", (error) => (broken = error));
    try {
      const { now, transaction } = await begin(client, schema, access);
      let result: T;
      try {
        result = await work(sqlOn(client, now));
      } catch (error) {
        if (!isLost(error)) await client.query("rollback");
        throw error;
      }
      await commit(client, transaction, server);
      return result;
    } catch (error) {
      broken ??= isLost(error) ? (error as Error) : undefined;
      throw error;
    } finally {
      client.removeAllListeners("error");
      client.release(broken);
    }
  };

  const patiently = async <T>(access: "read" | "write", work: (sql: Sql) => Promise<T>): Promise<T> => {
    for (let tried = 1; ; tried += 1) {
      try {
        return await attempt(access, work);
      } catch (error) {
        if (tried >= TRIES || !(isCollision(error) || isLost(error))) throw asFailure(error, where);
        await pause(Math.min(20 * 2 ** Math.min(tried, 6), 1000) * random());
      }
    }
  };

  return {
    engine: "postgres",
    where,
    read: (work) => patiently("read", work),
    write: (work) => patiently("write", work),
    check: async () => [],
    facts: () => patiently("read", (sql) => factsOf(sql, where)),
    close: () => server.end(),
  };
}

interface Begun {
  readonly now: Instant;
  /** The server's name for the transaction: by it the server can say later what became of it. */
  readonly transaction: string | null;
}

async function begin(client: PoolClient, schema: string, access: "read" | "write"): Promise<Begun> {
  const mode =
    access === "read"
      ? "begin isolation level repeatable read read only"
      : "begin isolation level read committed";
  const transaction = access === "read" ? "null" : "pg_current_xact_id()::text";
  const results = await batch(
    client,
    `${mode};
     set local search_path to ${schema};
     set local statement_timeout to '30s';
     set local lock_timeout to '30s';
     set local idle_in_transaction_session_timeout to '60s';
     select to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as now,
            ${transaction} as transaction`,
  );
  return results.at(-1)?.rows[0] as Begun;
}

/** Commits. If the answer is lost, the server is asked what became of the transaction, until it can tell. */
async function commit(
  client: PoolClient,
  transaction: string | null,
  { pool, where }: Server,
): Promise<void> {
  try {
    await client.query("commit");
  } catch (error) {
    if (!isLost(error) || transaction === null) throw error;
    const outcome = await outcomeOf(pool, transaction);
    if (outcome === "committed") return;
    if (outcome === "aborted") throw error;
    throw new Failure(
      "store/outcome-unknown",
      `${where}: the connection broke while committing, and the server cannot tell what became of it.`,
      {
        server: where,
        transaction,
      },
    );
  }
}

async function outcomeOf(pool: Server["pool"], transaction: string): Promise<string | undefined> {
  for (let tried = 0; tried < 20; tried += 1) {
    try {
      const { rows } = await pool.query<{ status: string | null }>(
        "select pg_xact_status($1::text::xid8) as status",
        [transaction],
      );
      const status = rows[0]?.status;
      if (status !== "in progress") return status ?? undefined;
    } catch (error) {
      if (!isLost(error) && (error as { code?: string }).code !== "ECONNREFUSED") throw error;
    }
    await pause(100 * (tried + 1));
  }
  return undefined;
}

function sqlOn(client: PoolClient, now: Instant): Sql {
  const query = async <P extends Params>(statement: Statement<P, unknown>, params: P) => {
    const { text, names } = compile(statement as unknown as Statement<never, unknown>);
    return client.query(
      text,
      names.map((name): Value => params[name] ?? null),
    );
  };
  return {
    now,
    all: async <P extends Params, R>(statement: Statement<P, R>, params: P) =>
      (await query(statement, params)).rows as readonly R[],
    get: async <P extends Params, R>(statement: Statement<P, R>, params: P) =>
      (await query(statement, params)).rows[0] as R | undefined,
    run: async (statement, params) => (await query(statement, params)).rowCount ?? 0,
  };
}

async function factsOf(sql: Sql, where: string): Promise<Readonly<Record<string, string | number>>> {
  const before = performance.now();
  const row = await sql.get(FACTS, {});
  return { server: where, latency_ms: Math.round((performance.now() - before) * 10) / 10, ...row };
}

const FACTS: Statement<Params, Readonly<Record<string, string | number>>> = {
  text: `select current_setting('server_version') as server_version,
                current_user as role,
                has_database_privilege(current_database(), 'create')::text as may_create_schemas,
                has_schema_privilege(current_schema(), 'create')::text as may_migrate,
                (select max(version) from schema_version) as schema_version,
                to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as server_now`,
  locks: undefined,
};

const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
