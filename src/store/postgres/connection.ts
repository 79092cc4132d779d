import type { Pool, PoolClient, QueryResult } from "pg";
import { Failure } from "../../domain/errors.ts";

export interface Server {
  readonly pool: Pool;
  /** Host, port and database; never user or password. */
  readonly where: string;
  readonly end: () => Promise<void>;
}

const OLDEST_SERVER = 130_000;

/** A pool of connections to the server a URL names. Nothing is sent before the first transaction. */
export async function connect(url: string): Promise<Server> {
  const { default: pg } = await import("pg");
  const parsed = readUrl(url);
  const typeParser = pg.types.getTypeParser as (oid: number, format?: string) => (value: string) => unknown;
  const pool = new pg.Pool({
    connectionString: url,
    max: 8,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    application_name: "pawl",
    types: {
      // Counts and ids are far below 2^53, and the rest of Pawl knows only numbers.
      getTypeParser: (oid: number, format?: "text" | "binary") =>
        oid === INT8 ? Number : typeParser(oid, format),
    },
  });
  // An idle connection that breaks is replaced by the next use; without a listener it would end the process.
  pool.on("error", () => undefined);
  return { pool, where: `postgres://${parsed.host}${parsed.pathname}`, end: () => pool.end() };
}

const INT8 = 20;

function readUrl(url: string): URL {
  try {
    const parsed = new URL(url);
    if (parsed.protocol === "postgres:" || parsed.protocol === "postgresql:") return parsed;
  } catch {
    // Said below, without repeating the text: it may hold a password.
  }
  throw new Failure(
    "store/open-failed",
    "The database URL is not a postgres:// URL.",
    {},
    {
      hint: "Set PAWL_DATABASE_URL to something like postgres://user:password@host:5432/database.",
    },
  );
}

export async function refuseOldServer(client: PoolClient, where: string): Promise<void> {
  const { rows } = await client.query<{ version: number; name: string }>(
    "select current_setting('server_version_num')::int as version, current_setting('server_version') as name",
  );
  if ((rows[0]?.version ?? 0) >= OLDEST_SERVER) return;
  throw new Failure(
    "store/engine-too-old",
    `${where} runs PostgreSQL ${rows[0]?.name}; Pawl needs 13 or newer.`,
    {
      server: where,
    },
  );
}

/** Several statements in one round trip; the results of each. */
export const batch = async (client: PoolClient, text: string): Promise<readonly QueryResult[]> => {
  const results = (await client.query(text)) as unknown as QueryResult | QueryResult[];
  return Array.isArray(results) ? results : [results];
};
