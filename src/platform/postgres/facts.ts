import type { Params, Sql, Statement, StoreFacts } from "../ports/index.ts";
import { CLOCK } from "./compile.ts";
import { connect } from "./connection.ts";
import { postgresFailure } from "./failures.ts";
import { schemaName } from "./schema-name.ts";

/** What is the same whether or not there is state. */
const SERVER = `current_setting('server_version') as server_version,
                current_user as role,
                has_database_privilege(current_database(), 'create')::text as may_create_schemas,
                (pg_is_in_recovery() or current_setting('default_transaction_read_only') = 'on')::text as read_only,
                coalesce((select version from pg_stat_ssl where pid = pg_backend_pid()), 'none') as encryption,
                current_setting('synchronous_commit') as synchronous_commit,
                current_setting('fsync') as fsync,
                ${CLOCK} as server_now`;

/** What `doctor` tells of a server: versions, rights, how far away it is, whether the wire is encrypted. */
export const factsOf = (sql: Sql, where: string): Promise<StoreFacts> =>
  timed(where, () => sql.get(WITH_STATE, {}));

const WITH_STATE: Statement<Params, StoreFacts> = {
  text: `select ${SERVER},
                has_schema_privilege(current_schema(), 'create')::text as may_migrate,
                current_schema() as schema,
                (select max(version) from schema_version) as schema_version`,
  locks: undefined,
};

/** The same of a server that has no state of this repository yet: whether there could be some is what people ask. */
export async function lookAtServer(url: string, repositoryId: string): Promise<StoreFacts> {
  const server = await connect(url);
  try {
    const schema = schemaName(repositoryId);
    return await timed(
      server.where,
      async () => (await server.pool.query<StoreFacts & Params>(BEFORE, [schema])).rows[0],
    );
  } catch (error) {
    throw postgresFailure(error, server);
  } finally {
    await server.end();
  }
}

/** A schema that an administrator made for the role needs no right to make others. */
const BEFORE = `select ${SERVER},
                       coalesce((select has_schema_privilege(oid, 'create') from pg_namespace where nspname = $1),
                                has_database_privilege(current_database(), 'create'))::text as may_migrate,
                       $1::text as schema`;

async function timed(where: string, ask: () => Promise<StoreFacts | undefined>): Promise<StoreFacts> {
  // The first question pays for the greeting, and for what is loaded with it.
  await ask();
  const before = performance.now();
  const row = await ask();
  return { server: where, latency_ms: Math.round((performance.now() - before) * 10) / 10, ...row };
}
