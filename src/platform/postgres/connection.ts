import type { Duplex } from "node:stream";
import type { Pool, PoolClient, QueryResult } from "pg";
import { isLost, isStale, type Named } from "./failures.ts";
import { passwordFromFile, type PassQuestion } from "./pass-file.ts";
import { readServerUrl } from "./server-url.ts";

export interface Server extends Named {
  readonly pool: Pool;
  readonly end: () => Promise<void>;
}

/** How long anything is waited for on the wire. */
export interface Limits {
  readonly connectMs: number;
  /** Longer than the server lets a statement of ours run. */
  readonly answerMs: number;
}

const LIMITS: Limits = { connectMs: 10_000, answerMs: 45_000 };

/**
 * A pool of connections to the server a URL names. Nothing is sent before the first transaction.
 *
 * Statements that do not wait for each other's rows go out together (`pipeline`): over a network the waiting for
 * answers is most of what a transaction takes.
 */
export async function connect(url: string, limits: Limits = LIMITS): Promise<Server> {
  const { config, where } = readServerUrl(url);
  const { default: pg } = await import("pg");
  let secret = config.password ?? process.env["PGPASSWORD"];
  const fromFile = (question: PassQuestion) => (secret = passwordFromFile(question));
  const typeParser = pg.types.getTypeParser as (oid: number, format?: string) => (value: string) => unknown;
  const pool = new pg.Pool({
    ...config,
    // The driver hands over where it connects to, its own defaults filled in; its types do not say so.
    ...(secret ? {} : { password: fromFile as unknown as () => string }),
    pipeline: true,
    max: 8,
    connectionTimeoutMillis: limits.connectMs,
    // A network partition drops packets silently; no caller waits for ever.
    query_timeout: limits.answerMs,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    types: {
      // Counts and ids are far below 2^53, and the rest of Pawl knows only numbers.
      getTypeParser: (oid: number, format?: "text" | "binary") =>
        oid === INT8 ? Number : typeParser(oid, format),
    },
  });
  // A connection that breaks while it is idle, or in the moment it is handed over, is noticed by its next use.
  // Without a listener it would end the process.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => client.on("error", () => undefined));
  let ended: Promise<void> | undefined;
  const hush = (text: string) =>
    typeof secret === "string" && secret !== "" ? text.replaceAll(secret, "***") : text;
  return { pool, where, hush, end: () => (ended ??= pool.end()) };
}

const INT8 = 20;

/** A connection for the length of some work; one that broke is not used again. */
export async function withClient<T>({ pool }: Server, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  const hear = (error: Error) => {
    broken = error;
  };
  client.on("error", hear);
  try {
    return await work(client);
  } catch (error) {
    if (isLost(error) || isStale(error)) broken ??= error as Error;
    throw error;
  } finally {
    client.release(broken);
    client.off("error", hear);
  }
}

const gathering = new WeakSet<Duplex>();

/**
 * Sends what is asked from here until the caller waits for an answer as one packet.
 *
 * The driver would hand over each statement by itself, and each would wake the server for a piece of the work.
 */
export function gather(client: PoolClient): void {
  const { stream } = (client as unknown as { readonly connection: { readonly stream: Duplex } }).connection;
  if (gathering.has(stream)) return;
  gathering.add(stream);
  stream.cork();
  process.nextTick(() => {
    gathering.delete(stream);
    stream.uncork();
  });
}

/** Several statements in one round trip; the results of each. */
export const batch = async (client: PoolClient, text: string): Promise<readonly QueryResult[]> => {
  const results = (await client.query(text)) as unknown as QueryResult | QueryResult[];
  return Array.isArray(results) ? results : [results];
};
