import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { pawlJson } from "../support/cli.ts";
import { planText, SMALL_PLAN } from "../support/plans.ts";
import { ok, PLAN, refused, workshop, words } from "../support/workshop.ts";
import { query, withDatabase } from "../support/world.ts";

/** One step with one item of each kind. */
const ONE_STEP = planText([
  { number: "0", tasks: ["dig"], tests: ["is it flat"], checkpoints: ["inspected"] },
]);

describe("what the state is kept with", () => {
  it("opens a database in memory with the engine it ships with", () => {
    expect(withDatabase(":memory:", (db) => db.prepare("select 6 * 7 as answer").get())).toEqual({
      answer: 42,
    });
  });

  it("hashes a plan with SHA-256", () => {
    const shop = workshop(ONE_STEP);
    expect(ok(shop.json("state", "init", PLAN))["plan_hash"]).toBe(
      createHash("sha256").update(ONE_STEP).digest("hex"),
    );
  });

  it("keeps the database out of the work tree and out of reach of git clean", () => {
    const shop = workshop();
    shop.repository.git("add", PLAN);
    shop.repository.git("commit", "-q", "-m", "the plan");
    expect(shop.repository.git("status", "--porcelain", "--ignored")).toBe("");

    shop.repository.git("clean", "-fdxq");

    expect(ok(shop.json("state", "show", PLAN))["plan"]).toMatchObject({ plan_path: PLAN });
  });
});

describe("finding the repository", () => {
  it("finds the repository from any folder inside it", () => {
    const shop = workshop();
    const deep = join(shop.home, "src/deep");
    mkdirSync(deep, { recursive: true });
    expect(ok(pawlJson({ cwd: deep }, "state", "show", "../../plan.md"))["plan"]).toMatchObject({
      plan_path: PLAN,
    });
  });

  it("uses one database for the main checkout and every linked worktree", () => {
    const shop = workshop();
    const mine = shop.worktree("mine");
    expect(ok(pawlJson({ cwd: mine }, "state", "claim", PLAN, "--worktree", "."))["anchor"]).toBe("step-0");
    expect(shop.step("step-0")["claimed_by"]).toBe(mine);
    expect(existsSync(join(mine, ".git/pawl"))).toBe(false);
  });

  it("refuses a folder that is no git repository", () => {
    const folder = mkdtempSync(join(tmpdir(), "pawl-plain-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, PLAN), SMALL_PLAN);
    const issue = refused(pawlJson({ cwd: folder }, "state", "init", PLAN), "E065", 3);
    expect(issue.message).toContain(folder);
  });
});

describe("the schema and the connection", () => {
  it("creates the file with the current schema, and opening it again changes nothing", () => {
    const shop = workshop();
    const version = () => query(shop.database, "select version from schema_version");
    const schema = () => query(shop.database, "select type, name, sql from sqlite_master order by name");
    const before = { version: version(), schema: schema() };
    expect(before.version).toHaveLength(1);
    expect(before.version[0]?.["version"]).toBeGreaterThanOrEqual(1);

    ok(shop.json("state", "show", PLAN));
    ok(shop.json("state", "init", PLAN));

    expect({ version: version(), schema: schema() }).toEqual(before);
  });

  it.each(Object.entries(COLUMNS_OF_VERSION_1))(
    "has table %s with every column of version 1",
    (table, columns) => {
      const shop = workshop();
      const found = query(shop.database, `pragma table_info(${table})`).map((row) => row["name"]);
      expect(found).toEqual(expect.arrayContaining([...columns]));
    },
  );

  it("has its indexes, write-ahead logging and foreign keys", () => {
    const shop = workshop();
    expect(query(shop.database, "pragma journal_mode")).toEqual([{ journal_mode: "wal" }]);
    const refused = () =>
      withDatabase(shop.database, (db) =>
        db.exec("pragma foreign_keys = on; insert into step_deps values ('plan.md', 'step-9', 'step-0')"),
      );
    expect(refused).toThrow(/foreign key/i);
    const indexes = query(
      shop.database,
      "select name from sqlite_master where type = 'index' and sql is not null",
    );
    expect(indexes.length).toBeGreaterThanOrEqual(5);
  });

  it("gives the same hash for the same content and another one for other content", () => {
    const shop = workshop(null);
    shop.repository.write("a.md", ONE_STEP);
    shop.repository.write("b.md", ONE_STEP);
    shop.repository.write("c.md", `${ONE_STEP}\n`);
    const [a, b, c] = ["a.md", "b.md", "c.md"].map(
      (name) => ok(shop.json("state", "init", name))["plan_hash"],
    );
    expect(a).toMatch(/^[0-9a-f]{64}$/);
    expect(b).toBe(a);
    expect(c).not.toBe(a);
  });
});

const COLUMNS_OF_VERSION_1 = {
  schema_version: ["version"],
  plans: ["plan_path", "plan_hash", "phase_title", "status", "created_at", "updated_at"],
  steps: [
    ...words("plan_path anchor parent_anchor step_index title status claimed_by claimed_at"),
    ...words("lease_expires_at heartbeat_at started_at completed_at commit_hash complete_reason"),
  ],
  step_deps: ["plan_path", "step_anchor", "depends_on"],
  checklist_items: ["id", "plan_path", "step_anchor", "kind", "ordinal", "text", "status", "updated_at"],
  step_artifacts: ["id", "plan_path", "step_anchor", "kind", "summary", "recorded_at"],
} as const;
