import { Failure } from "../../domain/errors.ts";
import type { Database } from "../../ports/database.ts";
import { SCHEMA_VERSION } from "../schema-version.ts";
import { connect, refuseOldServer, type Server } from "./connection.ts";
import { asFailure } from "./failures.ts";
import { postgresDatabase } from "./postgres-database.ts";

export interface OpenOptions {
  readonly url: string;
  /** Every repository has a schema of its own on the server. */
  readonly repositoryId: string;
  /** Makes the schema when there is none. Without it a missing one means that no plan was saved. */
  readonly create: boolean;
}

/** Opens a repository's part of the server, brings its schema up to date. */
export async function openPostgres({ url, repositoryId, create }: OpenOptions): Promise<Database> {
  const schema = `"pawl_${repositoryId
    .replaceAll(/[^a-z0-9_]/gi, "_")
    .toLowerCase()
    .slice(0, 50)}"`;
  const server = await connect(url);
  try {
    const stored = await storedVersion(server, schema);
    if (stored === undefined && !create) {
      throw new Failure("plan/not-initialised", "No plan of this repository has state on the server yet.", {
        server: server.where,
      });
    }
    if ((stored ?? 0) > SCHEMA_VERSION) {
      throw new Failure(
        "store/newer",
        `${server.where} was written by a newer Pawl (schema ${stored}; this one knows ${SCHEMA_VERSION}).`,
        {
          server: server.where,
          schema_version: stored,
          known: SCHEMA_VERSION,
        },
      );
    }
    if ((stored ?? 0) < SCHEMA_VERSION) {
      const { migrate } = await import("./migrate.ts");
      await migrate(server, schema);
    }
    return postgresDatabase({ server, schema });
  } catch (error) {
    await server.end();
    throw asFailure(error, server.where);
  }
}

/** Undefined when the repository has no schema yet. */
async function storedVersion({ pool, where }: Server, schema: string): Promise<number | undefined> {
  const client = await pool.connect();
  try {
    await refuseOldServer(client, where);
    const { rows } = await client.query<{ found: string | null }>("select to_regclass($1) as found", [
      `${schema}.schema_version`,
    ]);
    if (!rows[0]?.found) return undefined;
    const version = await client.query<{ version: number }>(
      `select max(version) as version from ${schema}.schema_version`,
    );
    return version.rows[0]?.version;
  } finally {
    client.release();
  }
}
