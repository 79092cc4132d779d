import { randomUUID } from "node:crypto";
import { Client, type QueryResultRow } from "pg";
import { afterAll, beforeAll } from "vitest";
import { type PostgresServer, startPostgres } from "../support/postgres-server.ts";
import { sharedPostgres } from "../support/shared-processes.ts";

/** A server for the tests of a file. Each test takes a repository id of its own, and with it a fresh schema. */
export interface TestServer<Server = Pick<PostgresServer, "url" | "port">> {
  readonly server: Server;
  readonly url: string;
  /** Asks the server beside Pawl, as its owner. */
  readonly ask: <R extends QueryResultRow>(sql: string, ...values: readonly unknown[]) => Promise<R[]>;
}

/** The server that all files share. */
export const sharedServer = (): TestServer => serverOf(sharedPostgres);

/** A server of the file's own, for tests that crash it, set it up, or ask what all of it is doing. */
export function ownServer(): TestServer<PostgresServer> {
  let started: PostgresServer | undefined;
  afterAll(() => started?.stop());
  return serverOf(async () => (started = await startPostgres()));
}

function serverOf<Server extends Pick<PostgresServer, "url">>(
  find: () => Promise<Server>,
): TestServer<Server> {
  let found: Server | undefined;
  beforeAll(async () => {
    found = await find();
  }, 60_000);
  const server = (): Server => {
    if (!found) throw new Error("the server is only there while tests run");
    return found;
  };
  return {
    get server() {
      return server();
    },
    get url() {
      return server().url;
    },
    ask: (sql, ...values) => ask(server().url, sql, ...values),
  };
}

export async function ask<R extends QueryResultRow>(
  url: string,
  sql: string,
  ...values: readonly unknown[]
): Promise<R[]> {
  const client = new Client({ connectionString: url });
  // A server that goes down under the test is the test's business.
  client.on("error", () => undefined);
  await client.connect();
  try {
    return (await client.query<R>(sql, [...values])).rows;
  } finally {
    await client.end();
  }
}

export const freshId = (): string => randomUUID().replaceAll("-", "").slice(0, 24);

export const schemaOf = (repositoryId: string): string => `pawl_${repositoryId}`;

/** The URL with another part in place of one of its own. */
export function urlWith(
  url: string,
  part: Partial<Record<"username" | "password" | "hostname" | "port" | "pathname" | "search", string>>,
): string {
  const changed = new URL(url);
  Object.assign(changed, part);
  return changed.href;
}
