import { Failure } from "../../domain/index.ts";
import type { Database } from "../ports/index.ts";
import { SCHEMA_VERSION } from "../index.ts";
import { connect, type Server } from "./connection.ts";
import { postgresFailure } from "./failures.ts";
import { movedRefusal } from "./moved-marker.ts";
import { retryTransient } from "./retry-transient.ts";
import { postgresDatabase } from "./postgres-database.ts";
import { refuseOldServer } from "./refuse-old-server.ts";
import { schemaName } from "./schema-name.ts";

export interface OpenPostgresOptions {
  readonly url: string;
  /** Every repository has a schema of its own on the server. */
  readonly repositoryId: string;
  /** Makes the schema when there is none. Without it a missing one means that no plan was saved. */
  readonly create: boolean;
  /** Also where what is there was moved away: it is being moved again. */
  readonly evenIfMoved?: boolean | undefined;
}

/** A server that is just starting, or full for a moment, is waited for; one that is not there is reported at once. */
const OPENING = { awayMs: 5000, wasThere: false } as const;

/** Opens a repository's part of the server, brings its schema up to date. */
export async function openPostgres(options: OpenPostgresOptions): Promise<Database> {
  const { url, repositoryId, create, evenIfMoved = false } = options;
  const schema = `"${schemaName(repositoryId)}"`;
  const server = await connect(url);
  try {
    const { stored, isMoved } = await retryTransient(() => lookAt(server, schema), OPENING);
    if (isMoved && !evenIfMoved) throw await movedRefusal(server, schema);
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
      const { migratePostgres } = await import("./migrate-postgres.ts");
      await retryTransient(() => migratePostgres(server, schema), OPENING);
    }
    return postgresDatabase({ server, schema });
  } catch (error) {
    await server.end();
    throw postgresFailure(error, server);
  }
}

interface Found {
  /** The version of the schema; undefined when the repository has none yet. */
  readonly stored: number | undefined;
  readonly isMoved: boolean;
}

async function lookAt({ pool, where }: Server, schema: string): Promise<Found> {
  const { rows } = await pool.query<{
    number: number;
    name: string;
    found: string | null;
    moved: string | null;
  }>(
    `select current_setting('server_version_num')::int as number,
            current_setting('server_version') as name,
            to_regclass($1) as found,
            to_regclass($2) as moved`,
    [`${schema}.schema_version`, `${schema}.moved_away`],
  );
  const [row] = rows;
  refuseOldServer(row, where);
  if (!row?.found) return { stored: undefined, isMoved: false };
  const version = await pool.query<{ version: number }>(
    `select max(version) as version from ${schema}.schema_version`,
  );
  return { stored: version.rows[0]?.version, isMoved: row.moved !== null };
}
