import type { PoolClient } from "pg";
import { allMoves } from "../../domain/index.ts";
import { MIGRATIONS } from "../migrations/index.ts";
import { SCHEMA_VERSION } from "../index.ts";
import { batch, type Server, withClient } from "./connection.ts";
import { isLost } from "./failures.ts";

/**
 * Brings the schema up to date, in one transaction.
 *
 * Of many that come at once, one migrates: the others wait for its lock, look again, and find nothing to do. The lock
 * belongs to the transaction, so a broken connection frees it and leaves the old schema whole.
 */
export async function migratePostgres(server: Server, schema: string): Promise<void> {
  await withClient(server, async (client) => {
    await client.query("begin");
    try {
      await client.query("select pg_advisory_xact_lock(hashtextextended($1, 0))", [`pawl:migrate:${schema}`]);
      await makeSchema(client, schema);
      await client.query(`set local search_path to ${schema}`);
      const found = await foundVersion(client);
      for (const migration of MIGRATIONS.slice(found)) await batch(client, migration.postgres);
      if (found < SCHEMA_VERSION) await finish(client);
      await client.query("commit");
    } catch (error) {
      if (!isLost(error)) await client.query("rollback");
      throw error;
    }
  });
}

/** A role that owns its schema needs no right to make others, but `if not exists` would ask for it all the same. */
async function makeSchema(client: PoolClient, schema: string): Promise<void> {
  const { rows } = await client.query<{ found: string | null }>("select to_regnamespace($1) as found", [
    schema,
  ]);
  if (!rows[0]?.found) await client.query(`create schema if not exists ${schema}`);
}

/** 0 for an empty schema. Read under the lock. */
async function foundVersion(client: PoolClient): Promise<number> {
  const { rows } = await client.query<{ found: string | null }>(
    "select to_regclass('schema_version') as found",
  );
  if (!rows[0]?.found) return 0;
  const version = await client.query<{ version: number }>(
    "select max(version) as version from schema_version",
  );
  return version.rows[0]?.version ?? 0;
}

async function finish(client: PoolClient): Promise<void> {
  const moves = allMoves().map(({ from, event, to }) => `('${from}', '${event}', '${to}')`);
  await batch(
    client,
    `delete from step_transitions;
     insert into step_transitions (from_status, event, to_status) values ${moves.join(", ")};
     update schema_version set version = ${SCHEMA_VERSION}`,
  );
}
