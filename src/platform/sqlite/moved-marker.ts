import { existsSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "../../domain/index.ts";
import { makeStateFolder, newId, nodeFiles } from "../os/index.ts";
import type { MovedMarker } from "../ports/index.ts";

const MARK = "MOVED";

/**
 * A file beside the database. Without it a shell that lacks the server's address would go on with the old state, and
 * two agents would do the same steps.
 */
export function sqliteMovedMarker(stateDir: string): MovedMarker {
  const mark = join(stateDir, MARK);
  return {
    set: (where) => nodeFiles.replace(mark, `${where}\n`),
    where: () => (existsSync(mark) ? readFileSync(mark, "utf8").trim() : undefined),
    putAside() {
      const aside = join(stateDir, "saved", `moved-${newId().slice(0, 8)}`);
      makeStateFolder(aside);
      // A database without its log is an older one, so the two must never part: the log is there before the database
      // goes, and stays until it went. Killed before that, all is here as it was; after it, all is aside, and SQLite
      // itself throws away a log that it finds beside a new database.
      const [path, log] = [join(stateDir, "state.db"), join(stateDir, "state.db-wal")];
      if (existsSync(log)) nodeFiles.create(join(aside, "state.db-wal"), readFileSync(log));
      if (existsSync(path)) renameSync(path, join(aside, "state.db"));
      for (const rest of [log, `${path}-shm`]) rmSync(rest, { force: true });
    },
    remove: () => rmSync(mark, { force: true }),
  };
}

export function refuseMovedState(stateDir: string): void {
  const where = sqliteMovedMarker(stateDir).where();
  if (where === undefined) return;
  throw new Failure("store/moved", `The state of this repository was moved to ${where}.`, {
    path: stateDir,
    moved_to: where,
  });
}
