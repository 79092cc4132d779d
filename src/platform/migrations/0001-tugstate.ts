import { tugstatePostgres } from "./0001-tugstate.postgres.ts";
import { tugstateSqlite } from "./0001-tugstate.sqlite.ts";
import type { Migration } from "./migration.ts";

/** The schema that databases of version 1 were made with, table for table and column for column. */
export const tugstate: Migration = {
  version: 1,
  name: "tugstate",
  sqlite: tugstateSqlite,
  postgres: tugstatePostgres,
};
