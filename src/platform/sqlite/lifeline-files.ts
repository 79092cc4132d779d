import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "../../domain/index.ts";
import type { Lifelines } from "../ports/index.ts";
import { type Connection, loadDriver } from "./driver.ts";
import { sqliteFailure, isBusy } from "./failures.ts";

const SUFFIX = ".lifeline";

/**
 * The lifelines of this process, by path. A connection without a reference is collected and closed, and with it a
 * living session would lose its lifeline.
 */
const held = new Map<string, Connection>();

/**
 * Lifelines as locked files: an empty SQLite file in an exclusive transaction.
 *
 * The lock belongs to the process, so the kernel frees it on any death. SQLite does the locking because it ships with
 * Pawl on every platform, and because it keeps the one trap of these locks out: closing *any* handle on the file
 * would drop them, so nothing but SQLite may ever open it.
 */
export function lifelineFiles(folder: string): Lifelines {
  const pathOf = (sessionId: string) => {
    if (!/^[\w-]{1,80}$/.test(sessionId)) {
      throw new Failure("usage/wrong", "A session id has only letters, digits, - and _.", {
        session_id: sessionId,
      });
    }
    return join(folder, `${sessionId}${SUFFIX}`);
  };
  const look: Lifelines["look"] = (sessionId) => {
    const path = pathOf(sessionId);
    if (held.has(path)) return "held";
    // A missing file proves nothing: another program may have removed it under a living owner.
    if (!existsSync(path)) return "unknown";
    let connection: Connection | undefined;
    try {
      connection = loadDriver().open(path, { readOnly: true, timeout: 0 });
      // A shared lock: it fails only against the holder, not against others who look.
      // Not a prepared statement: it would keep the file open until the collector comes, one for every look.
      connection.exec("select count(*) from sqlite_master");
      return "free";
    } catch (error) {
      // Also where it cannot be opened: its session may have ended, and removed it, at this moment.
      return isBusy(error) ? "held" : "unknown";
    } finally {
      connection?.close();
    }
  };
  return {
    look,
    hold(sessionId) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const path = pathOf(sessionId);
      const connection = lockFile(path, sessionId);
      held.set(path, connection);
      return {
        letGo() {
          // A second signal ends the session while the command is already ending it: the later call has nothing to do.
          if (held.get(path) !== connection) return;
          held.delete(path);
          connection.close();
        },
      };
    },
    stale() {
      if (!existsSync(folder)) return [];
      const ids = readdirSync(folder)
        .filter((name) => name.endsWith(SUFFIX))
        .map((name) => name.slice(0, -SUFFIX.length));
      return ids.filter((id) => look(id) === "free");
    },
    forget: (sessionId) => rmSync(pathOf(sessionId), { force: true }),
  };
}

function lockFile(path: string, sessionId: string): Connection {
  let connection: Connection | undefined;
  try {
    connection = loadDriver().open(path, { timeout: 1000 });
    connection.exec("pragma journal_mode = delete; begin exclusive");
    return connection;
  } catch (error) {
    connection?.close();
    if (!isBusy(error)) throw sqliteFailure(error, path);
    throw new Failure("session/alive", `Another process took over session ${sessionId} at this moment.`, {
      session_id: sessionId,
    });
  }
}
