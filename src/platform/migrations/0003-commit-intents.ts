import { commitIntentsPostgres } from "./0003-commit-intents.postgres.ts";
import { commitIntentsSqlite } from "./0003-commit-intents.sqlite.ts";
import type { Migration } from "./migration.ts";

/**
 * What a worker was about to commit, written before git is asked to.
 *
 * A crash between the commit and the completion is finished from this row; without it the work would be done and
 * committed a second time.
 */
export const commitIntents: Migration = {
  version: 3,
  name: "commit-intents",
  sqlite: commitIntentsSqlite,
  postgres: commitIntentsPostgres,
};
