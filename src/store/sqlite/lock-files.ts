import { createHash } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "../../domain/errors.ts";
import { pause } from "../../pause.ts";
import type { Locks } from "../../ports/locks.ts";
import { type Connection, loadDriver } from "./driver.ts";
import { asFailure, isBusy } from "./failures.ts";

const LIMIT_MS = 60_000;
const PAUSE_MS = 25;

/**
 * Locks as SQLite files in an exclusive transaction, like lifelines: the kernel frees them on any death.
 *
 * The files stay. Removing one that somebody waits for would let two hold it.
 */
export function lockFiles(folder: string, limitMs = LIMIT_MS): Locks {
  return {
    async during(name, work) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const file = createHash("sha256").update(name).digest("hex").slice(0, 16);
      const connection = await hold(join(folder, `${file}.lock.db`), name, limitMs);
      try {
        return await work();
      } finally {
        connection.close();
      }
    },
  };
}

async function hold(path: string, name: string, limitMs: number): Promise<Connection> {
  const start = performance.now();
  for (;;) {
    const connection = open(path);
    try {
      connection.exec("pragma journal_mode = delete; begin exclusive");
      return connection;
    } catch (error) {
      connection.close();
      if (!isBusy(error)) throw asFailure(error, path);
      if (performance.now() - start > limitMs) {
        throw new Failure("worktree/busy", `Another Pawl command holds the lock of ${name}.`, { lock: name });
      }
      await pause(PAUSE_MS * (0.5 + Math.random()));
    }
  }
}

function open(path: string): Connection {
  try {
    return loadDriver().open(path, { timeout: 0 });
  } catch (error) {
    throw asFailure(error, path);
  }
}
