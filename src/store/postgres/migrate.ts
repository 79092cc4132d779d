import { allMoves } from "../../domain/step-machine.ts";
import { MIGRATIONS } from "../migrations/index.ts";
import { SCHEMA_VERSION } from "../schema-version.ts";
import { batch, type Server } from "./connection.ts";

/**
 * Brings the schema up to date, in one transaction.
 *
 * Of many that come at once, one migrates: the others wait for its lock, look again, and find nothing to do. The lock
 * belongs to the transaction, so a broken connection frees it and leaves the old schema whole.
 */
export async function migrate({ pool }: Server, schema: string): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query("begin");
    await client.query("select pg_advisory_xact_lock(hashtextextended($1, 0))", [`pawl:migrate:${schema}`]);
    await client.query(`create schema if not exists ${schema}`);
    await client.query(`set local search_path to ${schema}`);
    const { rows } = await client.query<{ found: string | null }>(
      "select to_regclass('schema_version') as found",
    );
    const found = rows[0]?.found
      ? ((await client.query<{ version: number }>("select max(version) as version from schema_version"))
          .rows[0]?.version ?? 0)
      : 0;
    for (const migration of MIGRATIONS.slice(found)) await batch(client, migration.postgres);
    if (found < SCHEMA_VERSION) {
      const moves = allMoves().map(({ from, event, to }) => `('${from}', '${event}', '${to}')`);
      await batch(
        client,
        `delete from step_transitions;
         insert into step_transitions (from_status, event, to_status) values ${moves.join(", ")};
         update schema_version set version = ${SCHEMA_VERSION}`,
      );
    }
    await client.query("commit");
  } catch (error) {
    await client.query("rollback").catch(() => undefined);
    throw error;
  } finally {
    client.release();
  }
}
