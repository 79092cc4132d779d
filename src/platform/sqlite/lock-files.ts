import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "../../domain/index.ts";
import { sleep } from "../index.ts";
import type { Locks } from "../ports/index.ts";
import { sha256 } from "../os/index.ts";
import { type Connection, loadDriver } from "./driver.ts";
import { sqliteFailure, isBusy } from "./failures.ts";

const LIMIT_MS = 60_000;
const PAUSE_MS = 25;

/**
 * Locks as SQLite files in an exclusive transaction, like lifelines: the kernel frees them on any death.
 *
 * The files stay. Removing one that a process waits for would let two hold it.
 */
export function lockFiles(folder: string, limitMs = LIMIT_MS): Locks {
  const duringOneOf: Locks["duringOneOf"] = async (names, work) => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const { name, connection } = await hold(folder, names, limitMs);
    try {
      return await work(name);
    } finally {
      connection.close();
    }
  };
  return { during: (name, work) => duringOneOf([name], work), duringOneOf };
}

/** The name itself where every file system takes it for what it is: loading what makes hashes takes 4 ms. */
const fileFor = (name: string): string =>
  /^[a-z0-9/_-]{1,80}$/.test(name) ? name.replaceAll("/", "%") : sha256(name).slice(0, 16);

interface Held {
  readonly name: string;
  readonly connection: Connection;
}

async function hold(folder: string, names: readonly string[], limitMs: number): Promise<Held> {
  // Unlike `performance`, which is loaded when it is first asked for.
  const start = process.uptime();
  for (;;) {
    for (const name of names) {
      const connection = holdNow(join(folder, `${fileFor(name)}.lock.db`));
      if (connection) return { name, connection };
    }
    if ((process.uptime() - start) * 1000 > limitMs) {
      const [name] = names;
      throw new Failure("worktree/busy", `Another Pawl command holds the lock of ${name}.`, { lock: name });
    }
    await sleep(PAUSE_MS * (0.5 + Math.random()));
  }
}

/** Undefined while another process holds it. */
function holdNow(path: string): Connection | undefined {
  const connection = open(path);
  try {
    // Nothing is ever written, so there is nothing to roll back, and no file to make and remove for it.
    connection.exec("pragma journal_mode = memory; begin exclusive");
    return connection;
  } catch (error) {
    connection.close();
    if (!isBusy(error)) throw sqliteFailure(error, path);
    return undefined;
  }
}

function open(path: string): Connection {
  try {
    return loadDriver().open(path, { timeout: 0 });
  } catch (error) {
    throw sqliteFailure(error, path);
  }
}
