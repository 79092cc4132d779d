import type { Pool } from "pg";
import { type Failure, stateMovedFrom } from "../../domain/index.ts";
import type { ServerMovedMarker } from "../ports/index.ts";
import { newId } from "../os/index.ts";
import { statement } from "../index.ts";
import type { Server } from "./connection.ts";
import { MOVED_AWAY } from "./failures.ts";

/**
 * What stands in a schema whose state was moved into a file.
 *
 * A process that opens it learns it at once. One that had it open learns it from the trigger: making it waits for every change that
 * is on its way, and no line of the journal is written after it. So nothing is acknowledged that the copy lacks.
 */
const MARK = [
  `create or replace function refuse_moved() returns trigger language plpgsql as $$
   begin
     raise exception 'the state was moved away' using errcode = '${MOVED_AWAY}';
   end $$`,
  "drop trigger if exists events_moved on events",
  "create trigger events_moved before insert on events for each statement execute function refuse_moved()",
  "create table if not exists moved_away (moved_to text not null)",
  "delete from moved_away",
].map((text) => statement(text));

const sayWhere = statement<{ moved_to: string }>("insert into moved_away (moved_to) values (:moved_to)");

/** `schema` is quoted. */
export const postgresMovedMarker = ({ pool }: Server, schema: string): ServerMovedMarker => ({
  async mark(sql, where) {
    for (const one of MARK) await sql.run(one, {});
    await sql.run(sayWhere, { moved_to: where });
  },
  where: () => whereTo(pool, schema),
  async putAside() {
    const aside = `${schema.slice(1, -1).slice(0, 46)}_moved_${newId().slice(0, 8)}`;
    await pool.query(`alter schema ${schema} rename to "${aside}"`);
  },
});

async function whereTo(pool: Pool, schema: string): Promise<string | undefined> {
  const found = await pool.query<{ found: string | null }>("select to_regclass($1) as found", [
    `${schema}.moved_away`,
  ]);
  if (!found.rows[0]?.found) return undefined;
  const { rows } = await pool.query<{ moved_to: string }>(`select moved_to from ${schema}.moved_away`);
  return rows[0]?.moved_to;
}

/** For the process that finds the mark. */
export const movedRefusal = async ({ pool, where }: Server, schema: string): Promise<Failure> =>
  stateMovedFrom(where, (await whereTo(pool, schema)) ?? "another place");
