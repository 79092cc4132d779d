import { runsPostgres } from "./0005-runs.postgres.ts";
import { runsSqlite } from "./0005-runs.sqlite.ts";
import type { Migration } from "./migration.ts";

/**
 * What a session was asked to do, where it is, and what was found out about the work.
 *
 * A checkpoint without an end is a command that was running when its session died. An attempt is written before the
 * verification starts, so that a verification that kills its own runner is counted all the same.
 */
export const runs: Migration = { version: 5, name: "runs", sqlite: runsSqlite, postgres: runsPostgres };
