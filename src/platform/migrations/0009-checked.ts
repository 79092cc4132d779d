import type { Migration } from "./migration.ts";

/**
 * What a verification checked stands beside its exit code.
 *
 * A runner that is killed after a check has passed, and before there is a verdict, leaves a result that counts: with
 * the check named, the next runner uses it instead of checking the same tree again.
 */
export const checked: Migration = {
  version: 9,
  name: "checked",
  sqlite: `alter table checkpoints add column checked text;`,
  postgres: `alter table checkpoints add column checked text collate "C";`,
};
