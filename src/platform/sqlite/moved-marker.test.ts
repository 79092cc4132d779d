import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { watchEffects } from "../../../test/support/lowest-ports.ts";
import { loadDriver } from "./driver.ts";
import { sqliteMovedMarker } from "./moved-marker.ts";

/** How many effects still happen: after them none does, as after a kill. */
let left = Infinity;
const strike = (): void => {
  left -= 1;
  if (left < 0) throw new Error("killed");
};
watchEffects({ before: strike, after: () => {} });

const ROWS = [1, 2, 3];

/** A state folder whose database is half in its log, as a process leaves it that was killed. */
function stage() {
  const folder = mkdtempSync(join(tmpdir(), "pawl-moved-"));
  onTestFinished(() => {
    left = Infinity;
    rmSync(folder, { recursive: true, force: true });
  });
  const stateDir = join(folder, "state");
  mkdirSync(stateDir);
  const living = loadDriver().open(join(folder, "state.db"));
  living.exec("pragma journal_mode = wal; pragma wal_autocheckpoint = 0; create table t (n integer)");
  living.exec("insert into t values (1); pragma wal_checkpoint; insert into t values (2), (3)");
  for (const end of ["", "-wal", "-shm"])
    copyFileSync(join(folder, `state.db${end}`), join(stateDir, `state.db${end}`));
  living.close();
  return { folder, stateDir, mark: sqliteMovedMarker(stateDir) };
}

/** What a database holds, read from a copy; undefined where there is none. */
function rowsIn(folder: string, at: string): readonly unknown[] | undefined {
  if (!existsSync(join(at, "state.db"))) return undefined;
  const copy = mkdtempSync(join(folder, "look-"));
  for (const end of ["", "-wal"])
    if (existsSync(join(at, `state.db${end}`)))
      copyFileSync(join(at, `state.db${end}`), join(copy, `state.db${end}`));
  const connection = loadDriver().open(join(copy, "state.db"));
  try {
    return connection
      .prepare("select n from t order by n")
      .all()
      .map(({ n }) => n);
  } finally {
    connection.close();
  }
}

function asidesIn(folder: string, stateDir: string) {
  const saved = join(stateDir, "saved");
  const names = existsSync(saved) ? readdirSync(saved) : [];
  return names.flatMap((name) => {
    const rows = rowsIn(folder, join(saved, name));
    return rows === undefined ? [] : [rows];
  });
}

it("keeps the old database whole, here or aside, wherever it is killed, and the repetition ends it", () => {
  let kills = 0;
  for (let isKilled = true; isKilled; kills += 1) {
    const { folder, stateDir, mark } = stage();
    left = kills;
    try {
      mark.putAside();
      isKilled = false;
    } catch (error) {
      if (left >= 0) throw error;
    }
    left = Infinity;
    const here = rowsIn(folder, stateDir);
    expect([...(here === undefined ? [] : [here]), ...asidesIn(folder, stateDir)], `at ${kills}`).toEqual([
      ROWS,
    ]);
    if (here !== undefined) mark.putAside();
    // The log of the old database must not get into the new one.
    const fresh = loadDriver().open(join(stateDir, "state.db"));
    expect(fresh.prepare("select count(*) as n from sqlite_schema").get()).toMatchObject({ n: 0 });
    fresh.close();
    expect(asidesIn(folder, stateDir), `at ${kills}`).toEqual([ROWS]);
  }
  expect(kills).toBeGreaterThan(4);
});
