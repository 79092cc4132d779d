import { fencingPostgres } from "./0002-fencing.postgres.ts";
import { fencingSqlite } from "./0002-fencing.sqlite.ts";
import type { Migration } from "./migration.ts";

/**
 * Numbers on claims, sessions, the journal, and tables that refuse what the domain does not know.
 *
 * SQLite cannot add a CHECK or STRICT to a table, so each is built anew and filled from the old one. Version 1 let
 * anything in: unknown statuses become the initial one, instants get their one form, doubled items and rows that
 * point nowhere stay behind (a copy of the old file is kept beside the new one).
 */
export const fencing: Migration = {
  version: 2,
  name: "fencing",
  sqlite: fencingSqlite,
  postgres: fencingPostgres,
};
