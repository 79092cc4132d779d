import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../src/platform/os/system-clock.ts";
import { loadDriver } from "../../src/platform/sqlite/driver.ts";
import { openSqlite } from "../../src/platform/sqlite/open-sqlite.ts";
import { checkWorld } from "../support/check-world.ts";
import { ask } from "./shared-server.ts";

const TABLES = [
  "plans", "steps", "step_deps", "checklist_items", "step_artifacts", "plan_snapshots", "sessions", "events",
  "requests", "late_results", "commit_intents", "checkpoints", "attempts", "verdicts", "landings", "tree_verdicts",
  "usage",
] as const; // oxfmt-ignore

export type ServerRows = Readonly<
  Record<(typeof TABLES)[number], readonly Record<string, string | number | null>[]>
>;

/** Every row of a repository's schema, asked for without any code of Pawl. */
export async function rowsOf(url: string, schema: string): Promise<ServerRows> {
  const found: Partial<Record<keyof ServerRows, ServerRows[keyof ServerRows]>> = {};
  for (const table of TABLES) {
    const rows = await ask<{ row: Record<string, string | number | null> }>(
      url,
      `select to_jsonb(t) as row from "${schema}".${table} t order by 1`,
    );
    found[table] = rows.map(({ row }) => row);
  }
  return found as ServerRows;
}

/**
 * Looks for anything that must never be in a database of Pawl, with the checker that the embedded engine has.
 *
 * The rows are laid into a file of their own, past every guard, so that the checker finds them as they are.
 */
export async function problemsOnServer(url: string, schema: string): Promise<readonly string[]> {
  const rows = await rowsOf(url, schema);
  const folder = mkdtempSync(join(tmpdir(), "pawl-check-"));
  const path = join(folder, "state.db");
  try {
    await (await openSqlite({ path, clock: systemClock, create: true })).close();
    const connection = loadDriver().open(path);
    try {
      connection.exec("pragma foreign_keys = off; begin");
      for (const table of TABLES) {
        for (const row of rows[table]) {
          const names = Object.keys(row);
          const marks = names.map(() => "?").join(", ");
          connection
            .prepare(`insert into ${table} (${names.join(", ")}) values (${marks})`)
            .run(...Object.values(row));
        }
      }
      connection.exec("commit");
      return checkWorld(connection);
    } finally {
      connection.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
