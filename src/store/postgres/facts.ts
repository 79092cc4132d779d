import type { Params, Sql, Statement } from "../../ports/database.ts";

/** What `doctor` tells of a server: versions, rights, how far away it is, whether the wire is encrypted. */
export async function factsOf(sql: Sql, where: string): Promise<Readonly<Record<string, string | number>>> {
  const before = performance.now();
  const row = await sql.get(FACTS, {});
  return { server: where, latency_ms: Math.round((performance.now() - before) * 10) / 10, ...row };
}

const FACTS: Statement<Params, Readonly<Record<string, string | number>>> = {
  text: `select current_setting('server_version') as server_version,
                current_user as role,
                has_database_privilege(current_database(), 'create')::text as may_create_schemas,
                has_schema_privilege(current_schema(), 'create')::text as may_migrate,
                current_schema() as schema,
                (select max(version) from schema_version) as schema_version,
                coalesce((select version from pg_stat_ssl where pid = pg_backend_pid()), 'none') as encryption,
                current_setting('synchronous_commit') as synchronous_commit,
                current_setting('fsync') as fsync,
                to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as server_now`,
  locks: undefined,
};
