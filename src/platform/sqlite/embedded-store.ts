import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "../../domain/index.ts";
import type { Clock, Database, OpenStoreOptions } from "../ports/index.ts";
import { idIn, makeStateFolder, newId, nodeFiles, refuseOpenToAll } from "../os/index.ts";
import { refuseMovedState } from "./moved-marker.ts";
import { openSqlite } from "./open-sqlite.ts";

/** Made with the database: where it is and the database is not, one was lost, and that is no fresh start. */
const MARK = "ID";

export interface Embedded {
  readonly stateDir: string;
  readonly makeFolder: () => void;
  readonly clock: Clock;
  /** What git still holds of Pawl's work, in words; asked where there is neither a database nor its mark. */
  readonly traces: () => Promise<readonly string[]>;
}

/** The database in the state folder of a repository. */
export async function openEmbedded(
  { stateDir, makeFolder, clock, traces }: Embedded,
  { create, evenIfLost = false, evenIfMoved = false }: OpenStoreOptions,
): Promise<Database> {
  if (!evenIfMoved) refuseMovedState(stateDir);
  const path = join(stateDir, "state.db");
  // The mark is read first: it is made last, so a process that sees it must see a database with content.
  const isMarked = existsSync(join(stateDir, MARK));
  const wasHere = isMarked && !evenIfLost;
  const bytes = sizeOf(path);
  // An empty file would take a new schema without a word: a database was lost all the same.
  if (wasHere && !bytes) throw lost(path, bytes === 0 ? "is empty now" : "is gone");
  if (bytes === undefined && !isMarked && !evenIfLost) await refuseForgotten(path, traces);
  if (bytes === undefined) {
    if (!create)
      throw new Failure("plan/not-initialised", "No plan has state in this repository yet.", { path });
    makeFolder();
    if (isMarked) keepLog(stateDir, path);
  }
  refuseOpenToAll(stateDir);
  const database = await openSqlite({ path, clock, create, mustHaveContent: wasHere });
  idIn(join(stateDir, MARK));
  return database;
}

const lost = (path: string, what: string): Failure =>
  new Failure("store/missing", `The database ${path} was here and ${what}.`, { path });

/** The whole state folder is gone, mark and all. To begin anew without a word would do finished work again. */
async function refuseForgotten(path: string, traces: Embedded["traces"]): Promise<void> {
  const found = await traces();
  // Another process may have made the database and its mark since this one searched for it.
  if (found.length === 0 || sizeOf(path) !== undefined) return;
  throw new Failure(
    "store/missing",
    `There is no database ${path}, but Pawl was used in this repository: there are ${listOf(found)}.`,
    { path, traces: found },
  );
}

const listOf = (parts: readonly string[]): string =>
  [parts.slice(0, -1).join(", "), parts.at(-1)].filter((part) => part !== "").join(" and ");

/**
 * The log of a database that is gone may hold all that is left of it, and a new one would overwrite it.
 *
 * Copied and not moved: another process may have made the new database a moment ago, and then the log is in use.
 */
function keepLog(stateDir: string, path: string): void {
  const log = `${path}-wal`;
  if (!sizeOf(log)) return;
  makeStateFolder(join(stateDir, "saved"));
  nodeFiles.create(join(stateDir, "saved", `state.db-wal-${newId().slice(0, 8)}`), readFileSync(log));
}

function sizeOf(path: string): number | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })?.size;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Failure(
      "store/open-failed",
      `${path} cannot be reached (${code}).`,
      { path },
      { cause: error },
    );
  }
}
