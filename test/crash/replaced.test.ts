import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Database } from "../../src/platform/ports/database.ts";
import { loadDriver } from "../../src/platform/sqlite/driver.ts";
import { openSqlite } from "../../src/platform/sqlite/open-sqlite.ts";
import { outcomeOf, raw } from "../conformance/store.ts";
import { watchSql } from "../support/lowest-ports.ts";
import { testClock } from "../support/plain-world.ts";

/** A file that is taken away still takes writes, and no process will ever read them: no answer may rest on such a write. */

let folder: string;
let path: string;
let database: Database;
/** What happens just before or after an effect, once. */
let strike: { readonly when: string; readonly act: () => void } | undefined;

const react = (moment: string) => {
  if (strike === undefined || !moment.startsWith(strike.when)) return;
  const { act } = strike;
  strike = undefined;
  act();
};
watchSql({
  everyStatement: true,
  before: (effect) => react(`before ${effect}`),
  after: (effect) => react(`after ${effect}`),
});

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "pawl-replaced-"));
  path = join(folder, "state.db");
  strike = undefined;
  database = await openSqlite({ path, clock: testClock(), create: true });
});
afterEach(async () => {
  vi.useRealTimers();
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

const write = (): Promise<string> =>
  outcomeOf(
    database.write((sql) =>
      sql.run(raw("insert into events (at, event) values (:now, 'written')"), { now: sql.now }),
    ),
  );

/** What another process finds under the path. */
function found(): number {
  if (!existsSync(path)) return 0;
  const connection = loadDriver().open(path, { readOnly: true });
  try {
    // A copy without its log may not even have a schema.
    const tables = connection.prepare("select count(*) as n from sqlite_master where name = 'events'").get();
    return tables?.["n"] === 0
      ? 0
      : Number(connection.prepare("select count(*) as n from events").get()?.["n"]);
  } catch {
    // Without its log it may not be readable at all.
    return 0;
  } finally {
    connection.close();
  }
}

const DISASTERS = {
  deleted: () => {
    for (const end of ["", "-wal", "-shm"]) rmSync(`${path}${end}`, { force: true });
  },
  renamed: () => {
    for (const end of ["", "-wal", "-shm"])
      if (existsSync(`${path}${end}`)) renameSync(`${path}${end}`, `${path}.old${end}`);
  },
  "parted from its log": () => rmSync(`${path}-wal`),
  "replaced by a copy": () => {
    // In a process of its own: opening and closing the file here would drop the locks that are being tested.
    execFileSync("cp", [path, `${path}.copy`]);
    for (const end of ["-wal", "-shm"]) rmSync(`${path}${end}`, { force: true });
    renameSync(`${path}.copy`, path);
  },
};

/** How much the process has written before: one that stays looks at the folder alone while nothing moves in it. */
const BEFORE = [1, 20];

const MOMENTS = [
  "before exec begin immediate",
  "after exec begin immediate",
  "before run insert into events",
  "before exec commit",
  "after exec commit",
];

describe.each(Object.entries(DISASTERS))("a database that is %s", (name, disaster) => {
  it.each(MOMENTS.flatMap((when) => BEFORE.map((writes) => ({ when, writes }))))(
    "$when gets no false answer, after $writes written",
    async ({ when, writes }) => {
      // As if nothing had moved in the folder for a while.
      vi.useFakeTimers({ now: Date.now() + 10_000, toFake: ["Date"] });
      for (let index = 0; index < writes; index += 1) expect(await write()).toBe("ok");
      strike = { when, act: disaster };
      const answer = await write();
      expect(strike, "nothing happened to it").toBeUndefined();
      expect(answer).toBe("E069");
      // Where the log alone is gone, what it holds is brought into the database, and that may be this one too.
      const most = name === "parted from its log" ? writes + 1 : writes;
      expect(found(), "nothing was written where no process reads").toBeLessThanOrEqual(most);
      expect(await write(), "and it stays refused").toBe("E069");
    },
  );
});
