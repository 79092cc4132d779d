import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqlite } from "../../src/platform/sqlite/open-sqlite.ts";
import type { OpenStore } from "./store.ts";

/** Memory where there is a file system of it: these suites are about rules, not about disks. */
const FOLDER = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

/** A new SQLite database in a file of its own, gone when it is closed. */
export const openNewSqlite: OpenStore = async (clock) => {
  const folder = mkdtempSync(join(FOLDER, "pawl-store-"));
  const database = await openSqlite({ path: join(folder, "state.db"), clock, create: true });
  return {
    ...database,
    async close() {
      await database.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
