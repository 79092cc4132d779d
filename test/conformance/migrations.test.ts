import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { allMoves } from "../../src/domain/step-machine.ts";
import type { Database } from "../../src/platform/ports/database.ts";
import { MIGRATIONS } from "../../src/platform/migrations/migrations.ts";
import { SCHEMA_VERSION } from "../../src/platform/schema-version.ts";
import { loadDriver } from "../../src/platform/sqlite/driver.ts";
import { countKilledStarts } from "../../src/sessions/sql/count-killed-starts.ts";
import { listOpenIntents } from "../../src/commits/sql/list-open-intents.ts";
import { openSqlite } from "../../src/platform/sqlite/open-sqlite.ts";
import { watchSql } from "../support/lowest-ports.ts";
import { testClock } from "../support/plain-world.ts";
import { outcomeOf, raw } from "./store.ts";

let folder: string;
let path: string;
const opened: Database[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "pawl-migrations-"));
  path = join(folder, "state.db");
});

afterEach(async () => {
  for (const database of opened.splice(0)) await database.close();
  rmSync(folder, { recursive: true, force: true });
});

async function open(create = false): Promise<Database> {
  const database = await openSqlite({ path, clock: testClock(), create });
  opened.push(database);
  return database;
}

function withFile<T>(
  work: (connection: ReturnType<ReturnType<typeof loadDriver>["open"]>) => T,
  file = path,
): T {
  const connection = loadDriver().open(file);
  try {
    return work(connection);
  } finally {
    connection.close();
  }
}

/** A database as version 1 left it, with everything that version let in. */
function versionOne(): void {
  withFile((connection) => {
    connection.exec(MIGRATIONS[0]!.sqlite);
    connection.exec(`
      pragma foreign_keys = off;
      insert into plans values ('plan.md', 'hash', 'Old', 'odd', '2025-01-01T00:00:00Z', '2025-01-01T01:00:00+01:00');
      insert into steps (plan_path, anchor, parent_anchor, step_index, title, status, claimed_by, lease_expires_at, commit_hash)
      values ('plan.md', 'a', null, 0, 'A', 'completed', '/w', null, 'feed'),
             ('plan.md', 'b', null, 1, 'B', 'in_progress', '/w', '2025-01-01T02:00:00.123456Z', null),
             ('plan.md', 'b-1', 'b', 2, 'B1', 'claimed', '/w', '2025-01-01T02:00:00Z', null),
             ('plan.md', 'c', null, 3, 'C', 'nonsense', null, null, null),
             ('plan.md', 'd', 'nowhere', 4, 'D', 'claimed', null, null, null);
      insert into step_deps values ('plan.md', 'b', 'a'), ('plan.md', 'c', 'b'), ('plan.md', 'c', 'a');
      insert into step_deps values ('plan.md', 'c', 'gone');
      insert into checklist_items (plan_path, step_anchor, kind, ordinal, text, status)
      values ('plan.md', 'a', 'task', 0, 'x', 'completed'), ('plan.md', 'a', 'task', 0, 'twice', 'open'),
             ('plan.md', 'b', 'test', 0, 'y', 'odd'), ('plan.md', 'gone', 'task', 0, 'z', 'open');
      insert into step_artifacts (plan_path, step_anchor, kind, summary, recorded_at)
      values ('plan.md', 'a', 'auditor_summary', 'fine', '2025-01-01T00:00:00Z');
    `);
  });
}

const all = (database: Database, sql: string) =>
  database.read((tx) => tx.all(raw<Record<string, unknown>>(sql), {}));

/** Without the indentation that the text has in its source file. */
const unindented = (sql: string): string => sql.replace(/\n[ ]*/g, "\n  ").replace(/\n {2}(?=\)|end)/g, "\n");

describe("the schema of SQLite", () => {
  it("is the one in review", async () => {
    await open(true);
    const schema = withFile((connection) =>
      connection
        .prepare(
          "select sql from sqlite_master where sql is not null and name not like 'sqlite\\_%' escape '\\' order by type, name",
        )
        .all()
        .map((row) => `${unindented(String(row["sql"]))};\n`)
        .join("\n"),
    );
    await expect(schema).toMatchFileSnapshot("schema.sqlite.sql");
  });

  it("holds every move of the step machine, and says whose it is", async () => {
    const database = await open(true);
    const moves = await all(database, "select from_status, event, to_status from step_transitions");
    expect(moves.map((row) => Object.values(row).join(" ")).toSorted()).toEqual(
      allMoves()
        .map(({ from, event, to }) => `${from} ${event} ${to}`)
        .toSorted(),
    );
    const { application_id: id } = withFile((connection) =>
      connection.prepare("pragma application_id").get()!,
    );
    expect(Buffer.from(Number(id).toString(16), "hex").toString()).toBe("Pawl");
  });

  it.each([
    { what: "open intents", sql: listOpenIntents.text, index: "commit_intents_open" },
    { what: "killed starts of a step", sql: countKilledStarts.text, index: "events_interruptions" },
  ])("finds $what without a walk through the closed and the others", async ({ sql, index }) => {
    await open(true);
    const steps = withFile((connection) => connection.prepare(`explain query plan ${sql}`).all());
    const plan = steps.map((row) => String(row["detail"])).join("; ");
    expect(plan).toContain(index);
    expect(plan).not.toMatch(/SCAN (?:commit_intents|e|events)(?! USING INDEX commit_intents_open)/);
    expect(plan).not.toContain("TEMP B-TREE");
  });

  it("is private to its owner", async () => {
    await open(true);
    expect((statSync(path).mode & 0o777).toString(8)).toBe("600");
  });
});

describe("a database of version 1", () => {
  beforeEach(versionOne);

  it("keeps its progress", async () => {
    const database = await open();
    expect(
      await all(
        database,
        "select anchor, parent_anchor, status, claimed_by, claim_seq, unmet_deps, commit_hash from steps order by step_index",
      ),
    ).toEqual([
      {
        anchor: "a",
        parent_anchor: null,
        status: "completed",
        claimed_by: "/w",
        claim_seq: 1,
        unmet_deps: 0,
        commit_hash: "feed",
      },
      {
        anchor: "b",
        parent_anchor: null,
        status: "in_progress",
        claimed_by: "/w",
        claim_seq: 1,
        unmet_deps: 0,
        commit_hash: null,
      },
      {
        anchor: "b-1",
        parent_anchor: "b",
        status: "claimed",
        claimed_by: "/w",
        claim_seq: 1,
        unmet_deps: 0,
        commit_hash: null,
      },
      {
        anchor: "c",
        parent_anchor: null,
        status: "pending",
        claimed_by: null,
        claim_seq: 0,
        unmet_deps: 1,
        commit_hash: null,
      },
      {
        anchor: "d",
        parent_anchor: null,
        status: "pending",
        claimed_by: null,
        claim_seq: 0,
        unmet_deps: 0,
        commit_hash: null,
      },
    ]);
    expect(
      await all(database, "select step_anchor, kind, ordinal, text, status from checklist_items order by id"),
    ).toEqual([
      { step_anchor: "a", kind: "task", ordinal: 0, text: "x", status: "completed" },
      { step_anchor: "b", kind: "test", ordinal: 0, text: "y", status: "open" },
    ]);
    expect((await all(database, "select summary from step_artifacts")).length).toBe(1);
    expect(await database.check()).toEqual([]);
  });

  it("gets every instant in its one form", async () => {
    const database = await open();
    const [plan] = await all(database, "select created_at, updated_at, status from plans");
    expect(plan).toEqual({
      created_at: "2025-01-01T00:00:00.000Z",
      updated_at: "2025-01-01T00:00:00.000Z",
      status: "active",
    });
    const [step] = await all(database, "select lease_expires_at from steps where anchor = 'b'");
    expect(step).toEqual({ lease_expires_at: "2025-01-01T02:00:00.123Z" });
  });

  it("is copied before it is changed", async () => {
    await open();
    const copy = `${path}.v1.bak`;
    expect(
      withFile(
        (connection) => connection.prepare("select version from schema_version").get()?.["version"],
        copy,
      ),
    ).toBe(1);
    expect(
      withFile(
        (connection) => connection.prepare("select count(*) as n from checklist_items").get()?.["n"],
        copy,
      ),
    ).toBe(4);
    expect(readdirSync(folder).filter((name) => name.includes(".bak"))).toEqual(["state.db.v1.bak"]);
  });

  it("is migrated once when many open it", async () => {
    await Promise.all(Array.from({ length: 8 }, () => open()));
    const database = opened[0]!;
    expect(await all(database, "select version from schema_version")).toEqual([{ version: SCHEMA_VERSION }]);
    expect((await all(database, "select 1 from steps")).length).toBe(5);
  });

  it("is not migrated by another process between the check and the copy", async () => {
    let rival: unknown;
    watchSql({
      before(effect) {
        if (rival !== undefined || !effect.startsWith("run vacuum into")) return;
        rival = withFile((connection) => {
          try {
            connection.exec("pragma busy_timeout = 0; begin immediate");
            return "got in";
          } catch (error) {
            return error;
          }
        });
      },
      after: () => undefined,
    });
    await open();
    expect(String(rival)).toContain("locked");
    expect(
      withFile(
        (connection) => connection.prepare("select version from schema_version").get()?.["version"],
        `${path}.v1.bak`,
      ),
    ).toBe(1);
  });

  it("is copied anew when a copy was cut off, and nothing is left of that", async () => {
    for (const suffix of ["", "-journal"]) writeFileSync(`${path}.v1.bak.unfinished${suffix}`, "half of one");
    await open();
    expect(readdirSync(folder).filter((name) => name.includes(".bak"))).toEqual(["state.db.v1.bak"]);
  });
});

describe("what cannot be opened", () => {
  it("is a database of a newer Pawl, and it stays as it is", async () => {
    await open(true);
    await opened.splice(0)[0]!.close();
    withFile((connection) => connection.exec("update schema_version set version = 99"));
    const before = readFileSync(path);
    expect(await outcomeOf(open())).toBe("E067");
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it("is another program's database", async () => {
    withFile((connection) => connection.exec("create table theirs (x)"));
    expect(await outcomeOf(open())).toBe("E046");
  });

  it("is a file that is no database, and it stays as it is", async () => {
    writeFileSync(path, "not a database, but long enough to be read as one ".repeat(100));
    const before = readFileSync(path);
    expect(await outcomeOf(open())).toBe("E068");
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it("is a file that is not there, and none is made", async () => {
    expect(await outcomeOf(open())).toBe("E083");
    expect(existsSync(path)).toBe(false);
  });
});
