import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Envelope, pawlAsync, pawlJson } from "../support/cli.ts";
import { flatPlan, planText, SMALL_PLAN } from "../support/plans.ts";
import {
  ailments,
  type Data,
  ok,
  PLAN,
  refused,
  type Workshop,
  workshop,
  words,
} from "../support/workshop.ts";
import { until } from "../support/until.ts";
import { query, withDatabase } from "../support/world.ts";

/** One step with one item of each kind. */
const ONE_STEP = planText([
  { number: "0", tasks: ["dig"], tests: ["is it flat"], checkpoints: ["inspected"] },
]);

const anchors = (list: unknown): readonly string[] => (list as Data[]).map((one) => one["anchor"] as string);

/** Runs all command lines at the same time. */
const race = (
  shop: Workshop,
  calls: readonly (readonly string[])[],
): Promise<(Envelope & { code: number })[]> =>
  Promise.all(
    calls.map(async (args) => {
      const { code, stdout } = await pawlAsync({ cwd: shop.home }, ...args, "--json");
      return { ...(JSON.parse(stdout) as Envelope), code: code ?? -1 };
    }),
  );

describe("Step 0: dependencies and ignored files", () => {
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

describe("Step 1: finding the repository", () => {
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

describe("Step 2: schema and connection", () => {
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

describe("Step 3: State init command", () => {
  it("saves every step, substep, dependency and item of a plan", () => {
    const shop = workshop(null);
    shop.repository.write(PLAN, SMALL_PLAN);

    expect(ok(shop.json("state", "init", PLAN))).toMatchObject({
      plan_path: PLAN,
      already_initialized: false,
      step_count: 3,
      substep_count: 2,
      dep_count: 3,
      checklist_count: 9,
    });
    const count = (table: string) => query(shop.database, `select count(*) as n from ${table}`)[0]?.["n"];
    expect(["steps", "step_deps", "checklist_items"].map(count)).toEqual([5, 3, 9]);
  });

  it("changes nothing when called twice, and says that the plan has state already", () => {
    const shop = workshop();
    const mine = shop.worktree("mine");
    shop.finish(mine, "step-0");
    const before = shop.plan();

    expect(ok(shop.json("state", "init", PLAN))).toMatchObject({
      already_initialized: true,
      step_count: 3,
      substep_count: 2,
      dep_count: 3,
      checklist_count: 9,
    });
    expect(shop.plan()).toEqual(before);
  });

  it("numbers steps and substeps in the order they are declared", () => {
    const shop = workshop();
    const rows = query(
      shop.database,
      "select anchor, parent_anchor, step_index from steps order by step_index",
    );
    expect(rows).toEqual([
      { anchor: "step-0", parent_anchor: null, step_index: 0 },
      { anchor: "step-1", parent_anchor: null, step_index: 1 },
      { anchor: "step-1-1", parent_anchor: "step-1", step_index: 2 },
      { anchor: "step-1-2", parent_anchor: "step-1", step_index: 3 },
      { anchor: "step-2", parent_anchor: null, step_index: 4 },
    ]);
  });

  it("stores ordinals from 0 within each kind and shows them from 1", () => {
    const shop = workshop();
    const rows = query(
      shop.database,
      "select kind, ordinal, text from checklist_items where step_anchor = 'step-0'",
    );
    expect(rows).toEqual([
      { kind: "task", ordinal: 0, text: "dig" },
      { kind: "task", ordinal: 1, text: "level" },
      { kind: "test", ordinal: 0, text: "is it flat" },
      { kind: "checkpoint", ordinal: 0, text: "inspected" },
    ]);
    expect(shop.items("step-0")).toEqual([
      "task 1: open",
      "task 2: open",
      "test 1: open",
      "checkpoint 1: open",
    ]);
  });

  it("lets twenty processes initialise at once and saves the plan once", async () => {
    const shop = workshop(null);
    shop.repository.write(PLAN, SMALL_PLAN);

    const answers = await race(
      shop,
      Array.from({ length: 20 }, () => ["state", "init", PLAN]),
    );

    expect(answers.map(({ code }) => code)).toEqual(Array.from({ length: 20 }, () => 0));
    expect(answers.filter(({ data }) => data["already_initialized"] === false)).toHaveLength(1);
    expect(query(shop.database, "select count(*) as n from checklist_items")).toEqual([{ n: 9 }]);
  });

  it("prints one envelope with --json", () => {
    const shop = workshop(null);
    shop.repository.write(PLAN, SMALL_PLAN);
    expect(shop.json("state", "init", PLAN)).toMatchObject({
      schema_version: "1",
      command: "state init",
      status: "ok",
      issues: [],
    });
  });
});

describe("Step 4.1: Claim command", () => {
  it("returns the first ready step by step_index", () => {
    const shop = workshop(flatPlan(3));
    expect(ok(shop.claim(shop.worktree("one")))).toMatchObject({
      plan_path: PLAN,
      claimed: true,
      anchor: "step-1",
      title: "Work 1",
      step_index: 0,
      claim: 1,
      reclaimed: false,
      remaining_ready: 2,
      total_remaining: 3,
      all_completed: false,
    });
    expect(ok(shop.claim(shop.worktree("two")))).toMatchObject({ anchor: "step-2", step_index: 1 });
  });

  it("holds for two hours unless told otherwise", () => {
    const shop = workshop(flatPlan(2));
    const leaseOf = (name: string, ...more: readonly string[]) => {
      const before = Date.now();
      const { lease_expires: until } = ok(shop.claim(shop.worktree(name), ...more));
      return Math.round((Date.parse(until as string) - before) / 60_000);
    };
    expect(leaseOf("one")).toBe(120);
    expect(leaseOf("two", "--lease-duration", "600")).toBe(10);
  });

  it("does not return a step whose dependency is pending", () => {
    const shop = workshop();
    ok(shop.claim(shop.worktree("mine")));
    const other = shop.worktree("other");

    expect(shop.claim(other, "--step", "step-1")).toMatchObject({ code: 6, data: { claimed: false } });
    expect(shop.claim(other)).toMatchObject({ code: 6, status: "ok", data: { claimed: false } });
    expect(shop.step("step-1")).toMatchObject({ status: "pending", blocked_by: ["step-0"] });
  });

  it("gives pending substeps to the owner of their step", () => {
    const shop = workshop();
    const mine = shop.worktree("mine");
    shop.finish(mine, "step-0");
    ok(shop.claim(mine));
    for (const anchor of ["step-1", "step-1-1", "step-1-2"])
      expect(shop.step(anchor)).toMatchObject({ status: "claimed", claimed_by: mine });
  });

  it("reclaims a step whose lease is over and opens the items of its unfinished substeps", async () => {
    const shop = workshop();
    const [mine, other] = [shop.worktree("mine"), shop.worktree("other")];
    shop.finish(mine, "step-0");
    ok(shop.claim(mine, "--lease-duration", "1"));
    ok(shop.work("start", mine, "step-1"));
    ok(shop.work("update", mine, "step-1", "--task", "1", "in_progress"));
    ok(shop.work("update", mine, "step-1-1", "--task", "1", "completed", "--task", "2", "in_progress"));

    await until(() => shop.claim(other).data["claimed"] === true, "the lease is over");

    expect(shop.step("step-1")).toMatchObject({ status: "claimed", claimed_by: other, started_at: null });
    expect(shop.step("step-1-1")).toMatchObject({ status: "claimed", claimed_by: other, started_at: null });
    expect(shop.items("step-1")).toEqual(["task 1: open"]);
    expect(shop.items("step-1-1")).toEqual(["task 1: open", "task 2: open"]);
  });

  it("leaves finished substeps and their items alone when the step is reclaimed", async () => {
    const shop = workshop();
    const [mine, other] = [shop.worktree("mine"), shop.worktree("other")];
    shop.finish(mine, "step-0");
    ok(shop.claim(mine, "--lease-duration", "2"));
    ok(shop.work("update", mine, "step-1-1", "--all", "completed"));
    ok(shop.work("complete", mine, "step-1-1"));
    const before = shop.step("step-1-1");

    await until(() => shop.claim(other).data["claimed"] === true, "the lease is over");

    expect(before["status"]).toBe("completed");
    expect(shop.step("step-1-1")).toEqual(before);
    expect(shop.step("step-1-2")).toMatchObject({ status: "claimed", claimed_by: other });
  });

  it("says that all is completed when nothing is left", () => {
    const shop = workshop(flatPlan(1));
    const mine = shop.worktree("mine");
    shop.finish(mine, "step-1");
    expect(ok(shop.claim(mine))).toMatchObject({
      claimed: false,
      all_completed: true,
      total_remaining: 0,
      waiting: [],
    });
  });

  it("refuses a plan that was edited after it was saved", () => {
    const shop = workshop();
    shop.repository.write(PLAN, SMALL_PLAN.replace("dig", "dig deeper"));
    const issue = refused(shop.claim(shop.worktree("mine")), "E048", 4);
    expect(issue.message).toContain("edited step-0");
    expect(shop.step("step-0")["status"]).toBe("pending");
  });
});

describe("Step 4.2: Start command", () => {
  it("lets the claimer start its step", () => {
    const shop = workshop();
    const mine = shop.worktree("mine");
    ok(shop.claim(mine));
    expect(ok(shop.work("start", mine, "step-0"))).toEqual({
      plan_path: PLAN,
      anchor: "step-0",
      started: true,
    });
    expect(shop.step("step-0")).toMatchObject({ status: "in_progress", started_at: expect.any(String) });
  });

  it("accepts the anchor with #", () => {
    const shop = workshop();
    const mine = shop.worktree("mine");
    ok(shop.claim(mine));
    expect(ok(shop.work("start", mine, "#step-0"))).toMatchObject({ anchor: "step-0" });
  });

  it("refuses another worktree", () => {
    const shop = workshop();
    const mine = shop.worktree("mine");
    ok(shop.claim(mine));
    const issue = refused(shop.work("start", shop.worktree("other"), "step-0"), "E049", 4);
    expect(issue.name).toBe("claim/not-owner");
    expect(issue.message).toContain(mine);
    expect(shop.step("step-0")["status"]).toBe("claimed");
  });

  it.each(["pending", "in_progress", "completed"])("refuses a step that is %s", (status) => {
    const shop = workshop(flatPlan(1));
    const mine = shop.worktree("mine");
    if (status === "in_progress") shop.take(mine);
    if (status === "completed") shop.finish(mine, "step-1");
    refused(shop.work("start", mine, "step-1"), "E050", 4);
    expect(shop.step("step-1")["status"]).toBe(status);
  });
});

describe("Step 4.3: Heartbeat command", () => {
  it("extends the lease by its duration from now", () => {
    const shop = workshop();
    const mine = shop.worktree("mine");
    ok(shop.claim(mine, "--lease-duration", "60"));

    const before = Date.now();
    const { lease_expires: until } = ok(shop.work("heartbeat", mine, "step-0", "--lease-duration", "600"));
    const after = Date.now();

    const end = Date.parse(until as string);
    expect(end).toBeGreaterThanOrEqual(before + 600_000 - 20);
    expect(end).toBeLessThanOrEqual(after + 600_000 + 20);
    expect(query(shop.database, "select heartbeat_at from steps where anchor = 'step-0'")).toEqual([
      { heartbeat_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) },
    ]);
  });

  it("never shortens a lease", () => {
    const shop = workshop();
    const mine = shop.worktree("mine");
    const { lease_expires: granted } = ok(shop.claim(mine));
    const { lease_expires: renewed } = ok(shop.work("heartbeat", mine, "step-0", "--lease-duration", "1"));
    // Uptime has a resolution of 10 ms, and the end is told by the wall clock.
    expect(Date.parse(renewed as string)).toBeGreaterThan(Date.parse(granted as string) - 100);
  });

  it("refuses a worktree that did not claim the step", () => {
    const shop = workshop();
    ok(shop.claim(shop.worktree("mine")));
    const lease = () => query(shop.database, "select heartbeat_at, lease_expires_at from steps");
    const before = lease();
    refused(shop.work("heartbeat", shop.worktree("other"), "step-0"), "E049", 4);
    expect(lease()).toEqual(before);
  });

  it("renews a lease that ran out and was not taken, and journals it", async () => {
    const shop = workshop();
    const mine = shop.worktree("mine");
    ok(shop.claim(mine, "--lease-duration", "1"));
    const expired = () => anchors(ok(shop.json("state", "ready", PLAN))["expired_claim"]);
    await until(() => expired().includes("step-0"), "the lease is over");

    ok(shop.work("heartbeat", mine, "step-0"));

    expect(expired()).toEqual([]);
    expect(shop.claim(shop.worktree("other"))).toMatchObject({ code: 6 });
    const [last] = ok(shop.json("state", "events", PLAN, "--last", "1"))["events"];
    expect(last).toMatchObject({ event: "lease-revived", anchor: "step-0", claim: 1 });
  });
});

describe("Step 4 Summary", () => {
  it("goes from claim over start to heartbeat", () => {
    const shop = workshop();
    const mine = shop.worktree("mine");
    const statuses = [shop.step("step-0")["status"]];
    ok(shop.claim(mine));
    statuses.push(shop.step("step-0")["status"]);
    ok(shop.work("start", mine, "step-0"));
    ok(shop.work("heartbeat", mine, "step-0"));
    statuses.push(shop.step("step-0")["status"]);
    expect(statuses).toEqual(["pending", "claimed", "in_progress"]);
  });
});

describe("Step 5.1: Update command", () => {
  it("takes ordinals from 1 and stores them from 0", () => {
    const shop = workshop();
    const mine = shop.worktree("mine");
    shop.take(mine);

    expect(ok(shop.work("update", mine, "step-0", "--task", "2", "completed"))).toEqual({
      plan_path: PLAN,
      anchor: "step-0",
      items_updated: 1,
    });
    const ticked = query(
      shop.database,
      "select kind, ordinal from checklist_items where status = 'completed'",
    );
    expect(ticked).toEqual([{ kind: "task", ordinal: 1 }]);
  });

  it.each<[string, readonly string[], readonly string[]]>([
    ["--task N STATUS", ["--task", "1", "in_progress"], ["in_progress", "open", "open", "open"]],
    ["--task N:STATUS", ["--task", "1:completed"], ["completed", "open", "open", "open"]],
    ["--test", ["--test", "1", "completed"], ["open", "open", "completed", "open"]],
    ["--checkpoint", ["--checkpoint", "1", "completed"], ["open", "open", "open", "completed"]],
    [
      "several at once",
      ["--task", "1", "completed", "--task", "2:in_progress", "--test", "1", "completed"],
      ["completed", "in_progress", "completed", "open"],
    ],
    ["--match", ["--match", "FLAT", "completed"], ["open", "open", "completed", "open"]],
    ["--all-tasks", ["--all-tasks", "completed"], ["completed", "completed", "open", "open"]],
    ["--all-tests", ["--all-tests", "completed"], ["open", "open", "completed", "open"]],
    ["--all-checkpoints", ["--all-checkpoints", "completed"], ["open", "open", "open", "completed"]],
    ["--all", ["--all", "completed"], ["completed", "completed", "completed", "completed"]],
    [
      "the special before the general",
      ["--task", "2", "open", "--all", "completed"],
      ["completed", "open", "completed", "completed"],
    ],
  ])("understands %s", (_, options, statuses) => {
    const shop = workshop();
    const mine = shop.worktree("mine");
    shop.take(mine);
    ok(shop.work("update", mine, "step-0", ...options));
    expect((shop.step("step-0")["items"] as Data[]).map((item) => item["status"])).toEqual(statuses);
  });

  it("ticks items of a substep for the owner of the step", () => {
    const shop = workshop();
    const mine = shop.worktree("mine");
    shop.finish(mine, "step-0");
    shop.take(mine, "step-1");
    expect(ok(shop.work("update", mine, "step-1-1", "--all-tasks", "completed"))["items_updated"]).toBe(2);
    expect(shop.items("step-1")).toEqual(["task 1: open"]);
  });

  it("does all of it or nothing", () => {
    const shop = workshop();
    const mine = shop.worktree("mine");
    shop.take(mine);
    refused(
      shop.work("update", mine, "step-0", "--task", "1", "completed", "--task", "3", "completed"),
      "E061",
      2,
    );
    expect(shop.items("step-0")).toEqual([
      "task 1: open",
      "task 2: open",
      "test 1: open",
      "checkpoint 1: open",
    ]);
  });

  it("defers an item only for a reason, and shows it apart", () => {
    const shop = workshop();
    const mine = shop.worktree("mine");
    shop.take(mine);
    refused(shop.work("update", mine, "step-0", "--test", "1", "deferred"), "E081", 2);
    ok(shop.work("update", mine, "step-0", "--test", "1", "deferred", "--reason", "no level here"));
    expect(shop.step("step-0")).toMatchObject({
      checklist: { tests_total: 1, tests_completed: 0, deferred: 1 },
      items: expect.arrayContaining([
        expect.objectContaining({ status: "deferred", reason: "no level here" }),
      ]),
    });
  });

  it.each([
    ["an item", ["--task", "1", "completed"]],
    ["a kind the step has none of", ["--all-checkpoints", "completed"]],
  ])("refuses a worktree that did not claim the step: %s", (_, options) => {
    const shop = workshop(planText([{ number: "0", tasks: ["dig"] }]));
    shop.take(shop.worktree("mine"));
    const journal = () => ok(shop.json("state", "events", PLAN))["events"] as Data[];
    const before = journal();

    refused(shop.work("update", shop.worktree("other"), "step-0", ...options), "E049", 4);

    expect(shop.items("step-0")).toEqual(["task 1: open"]);
    expect(journal()).toEqual(before);
  });

  it("refuses a plan that was edited", () => {
    const shop = workshop();
    const mine = shop.worktree("mine");
    shop.take(mine);
    shop.repository.write(PLAN, SMALL_PLAN.replace("- [ ] level", "- [ ] level\n- [ ] measure"));
    const issue = refused(shop.work("update", mine, "step-0", "--task", "1", "completed"), "E048", 4);
    expect(issue.details?.["changes"]).toEqual(["edited step-0"]);
    expect(shop.items("step-0")[0]).toBe("task 1: open");
  });
});

describe("Step 5.2: Artifact command", () => {
  it("records an artifact, with its full content from stdin", () => {
    const shop = workshop();
    const mine = shop.worktree("mine");
    shop.take(mine);

    const answer = shop.jsonWith(
      { input: "the whole strategy\nin two lines" },
      "state",
      "artifact",
      PLAN,
      "step-0",
      "--worktree",
      mine,
      "--kind",
      "architect_strategy",
      "--summary",
      "Dig first",
    );

    expect(ok(answer)).toEqual({
      plan_path: PLAN,
      anchor: "step-0",
      artifact_id: expect.any(Number),
      kind: "architect_strategy",
    });
    expect(query(shop.database, "select kind, summary, content, claim from step_artifacts")).toEqual([
      {
        kind: "architect_strategy",
        summary: "Dig first",
        content: "the whole strategy\nin two lines",
        claim: 1,
      },
    ]);
    expect(shop.step("step-0")["artifacts"]).toMatchObject([
      { kind: "architect_strategy", summary: "Dig first" },
    ]);
  });

  it("does not wait for a pipe that was left open and says nothing", async () => {
    const shop = workshop();
    shop.take(shop.home);
    const args = ["state", "artifact", PLAN, "step-0", "--worktree", shop.home, "--kind", "auditor_summary"];
    const run = pawlAsync({ cwd: shop.home, stdin: "pipe" }, ...args, "--summary", "x");
    expect(await run).toMatchObject({ code: 0 });
    expect(query(shop.database, "select content from step_artifacts")).toEqual([{ content: null }]);
  });

  it.each(["architect_strategy", "reviewer_verdict", "auditor_summary"])("knows the kind %s", (kind) => {
    const shop = workshop();
    shop.take(shop.home);
    expect(ok(shop.work("artifact", shop.home, "step-0", "--kind", kind, "--summary", "x"))["kind"]).toBe(
      kind,
    );
  });

  it("refuses a worktree that did not claim the step", () => {
    const shop = workshop();
    shop.take(shop.worktree("mine"));
    const other = shop.worktree("other");
    refused(
      shop.work("artifact", other, "step-0", "--kind", "auditor_summary", "--summary", "mine"),
      "E049",
      4,
    );
    expect(query(shop.database, "select * from step_artifacts")).toEqual([]);
  });

  it("cuts the summary to 500 characters", () => {
    const shop = workshop();
    shop.take(shop.home);
    ok(shop.work("artifact", shop.home, "step-0", "--kind", "auditor_summary", "--summary", "x".repeat(501)));
    expect(query(shop.database, "select summary from step_artifacts")).toEqual([
      { summary: "x".repeat(500) },
    ]);
  });
});

describe("Step 5.3: Complete command", () => {
  it("completes a step whose items are all completed, with its commit", () => {
    const shop = workshop();
    const mine = shop.worktree("mine");
    const commit = shop.repository.git("rev-parse", "HEAD");
    shop.take(mine);
    ok(shop.work("update", mine, "step-0", "--all", "completed"));

    expect(ok(shop.work("complete", mine, "step-0", "--commit", commit))).toMatchObject({
      plan_path: PLAN,
      anchor: "step-0",
      completed: true,
      forced: false,
      commit,
      commit_ref: null,
      commit_known: true,
      all_steps_completed: false,
    });
    expect(shop.step("step-0")).toMatchObject({
      status: "completed",
      commit_hash: commit,
      complete_reason: null,
      completed_at: expect.any(String),
    });
    expect(shop.step("step-1")["blocked_by"]).toEqual([]);
  });

  it("refuses open items and lists them", () => {
    const shop = workshop();
    const mine = shop.worktree("mine");
    shop.take(mine);
    ok(shop.work("update", mine, "step-0", "--all-tasks", "completed", "--test", "1", "in_progress"));

    const issue = refused(shop.work("complete", mine, "step-0"), "E051", 1);

    expect(issue.details?.["incomplete_items"]).toEqual([
      { kind: "test", ordinal: 1, text: "is it flat", status: "in_progress" },
      { kind: "checkpoint", ordinal: 1, text: "inspected", status: "open" },
    ]);
    expect(issue.details?.["incomplete_substeps"]).toEqual([]);
    expect(shop.step("step-0")["status"]).toBe("in_progress");
  });

  it("refuses open substeps and lists them", () => {
    const shop = workshop();
    const mine = shop.worktree("mine");
    shop.finish(mine, "step-0");
    shop.take(mine, "step-1");
    ok(shop.work("update", mine, "step-1", "--all", "completed"));

    const issue = refused(shop.work("complete", mine, "step-1"), "E052", 1);

    expect(anchors(issue.details?.["incomplete_substeps"])).toEqual(["step-1-1", "step-1-2"]);
  });

  it("lets deferred items pass", () => {
    const shop = workshop(ONE_STEP);
    shop.take(shop.home);
    ok(shop.work("update", shop.home, "step-0", "--all", "completed"));
    ok(shop.work("update", shop.home, "step-0", "--test", "1", "deferred", "--reason", "later"));
    ok(shop.work("complete", shop.home, "step-0"));
    expect(shop.items("step-0")).toContain("test 1: deferred");
  });

  it("completes by force with a reason that is recorded", () => {
    const shop = workshop();
    const mine = shop.worktree("mine");
    shop.take(mine);
    expect(ok(shop.work("complete", mine, "step-0", "--force", "tests moved"))).toMatchObject({
      forced: true,
    });
    expect(shop.step("step-0")).toMatchObject({ status: "completed", complete_reason: "tests moved" });
    const [last] = ok(shop.json("state", "events", PLAN, "--last", "1"))["events"];
    expect(last).toMatchObject({ event: "completed", detail: { forced: "tests moved" } });
  });

  it.each(["", "   "])("refuses force with the reason %j", (reason) => {
    const shop = workshop();
    shop.take(shop.home);
    refused(shop.work("complete", shop.home, "step-0", `--force=${reason}`), "E081", 2);
    expect(shop.step("step-0")["status"]).toBe("in_progress");
  });

  it("completes what is left of items and substeps by force", () => {
    const shop = workshop();
    const mine = shop.worktree("mine");
    shop.finish(mine, "step-0");
    shop.take(mine, "step-1");

    ok(shop.work("complete", mine, "step-1", "--force", "done by hand"));

    for (const anchor of ["step-1", "step-1-1", "step-1-2"]) {
      expect(shop.step(anchor)).toMatchObject({ status: "completed", complete_reason: "done by hand" });
      expect(shop.items(anchor).filter((item) => !item.endsWith("completed"))).toEqual([]);
    }
    expect(ok(shop.claim(mine))["anchor"]).toBe("step-2");
  });

  it("sets the plan to done with its last step", () => {
    const shop = workshop(flatPlan(2));
    shop.finish(shop.home, "step-1");
    expect(shop.plan()["status"]).toBe("active");
    shop.take(shop.home, "step-2");
    expect(ok(shop.work("complete", shop.home, "step-2"))).toMatchObject({ all_steps_completed: true });
    expect(shop.plan()["status"]).toBe("done");
  });

  it("asks a substep for its own items only", () => {
    const shop = workshop();
    const mine = shop.worktree("mine");
    shop.finish(mine, "step-0");
    shop.take(mine, "step-1");
    refused(shop.work("complete", mine, "step-1-1"), "E051", 1);
    ok(shop.work("update", mine, "step-1-1", "--all", "completed"));
    ok(shop.work("complete", mine, "step-1-1"));
    expect(shop.step("step-1")["status"]).toBe("in_progress");
    expect(shop.step("step-1-2")["status"]).toBe("claimed");
  });

  it("refuses a substep whose dependency is open", () => {
    const shop = workshop();
    const mine = shop.worktree("mine");
    shop.finish(mine, "step-0");
    shop.take(mine, "step-1");
    ok(shop.work("update", mine, "step-1-2", "--all", "completed"));
    const issue = refused(shop.work("complete", mine, "step-1-2"), "E079", 4);
    expect(issue.details?.["blocked_by"]).toEqual(["step-1-1"]);
  });

  it.each(["HEAD~99", "No-Such-Branch", "-x", "not a hash", "abc", "g".repeat(40)])(
    "refuses the commit %j, and says it as it was given",
    (commit) => {
      const shop = workshop(flatPlan(1));
      shop.take(shop.home);
      const issue = refused(shop.work("complete", shop.home, "step-1", `--commit=${commit}`), "E082", 2);
      expect(issue.message).toContain(commit);
      expect(shop.step("step-1")["status"]).toBe("in_progress");
    },
  );

  it("takes HEAD for what is checked out in the owner's worktree", () => {
    const shop = workshop(flatPlan(1));
    const mine = shop.worktree("mine");
    shop.repository.git("-C", mine, "commit", "-q", "--allow-empty", "-m", "mine");
    shop.finish(mine, "step-1", "--commit", "HEAD");
    expect(shop.step("step-1")["commit_hash"]).toBe(shop.repository.git("-C", mine, "rev-parse", "HEAD"));
    expect(shop.step("step-1")["commit_hash"]).not.toBe(shop.repository.git("rev-parse", "HEAD"));
  });
});

describe("Step 5 Summary", () => {
  it("goes from update over artifact to complete", () => {
    const shop = workshop(ONE_STEP);
    const mine = shop.worktree("mine");
    shop.take(mine);
    ok(shop.work("update", mine, "step-0", "--all", "completed"));
    ok(shop.work("artifact", mine, "step-0", "--kind", "reviewer_verdict", "--summary", "good"));
    ok(shop.work("complete", mine, "step-0"));
    expect(shop.plan()).toMatchObject({
      status: "done",
      steps: [{ status: "completed", artifacts: [{ kind: "reviewer_verdict", summary: "good" }] }],
    });
  });
});

describe("Step 6.1: Show command", () => {
  it("counts items by kind", () => {
    const shop = workshop();
    shop.take(shop.home);
    ok(shop.work("update", shop.home, "step-0", "--task", "1", "completed", "--test", "1", "completed"));
    expect(shop.step("step-0")["checklist"]).toEqual({
      tasks_total: 2,
      tasks_completed: 1,
      tests_total: 1,
      tests_completed: 1,
      checkpoints_total: 1,
      checkpoints_completed: 0,
      deferred: 0,
    });
  });

  it("nests substeps under their step", () => {
    const shop = workshop();
    const steps = shop.plan()["steps"] as Data[];
    expect(anchors(steps)).toEqual(["step-0", "step-1", "step-2"]);
    expect(steps.map((one) => anchors(one["substeps"]))).toEqual([[], ["step-1-1", "step-1-2"], []]);
    expect(steps[1]?.["substeps"]).toMatchObject([
      { parent_anchor: "step-1", checklist: { tasks_total: 2 } },
      { parent_anchor: "step-1", checklist: { tasks_total: 1 } },
    ]);
  });

  it("marks steps that were completed by force", () => {
    const shop = workshop();
    shop.take(shop.home);
    ok(shop.work("complete", shop.home, "step-0", "--force", "nobody looks"));
    expect(shop.step("step-0")["complete_reason"]).toBe("nobody looks");
    expect(shop.text("state", "show", PLAN).stdout).toContain("forced: nobody looks");
    const [last] = ok(shop.json("state", "events", PLAN, "--last", "1"))["events"] as Data[];
    expect(last?.["detail"]).toMatchObject({ forced: "nobody looks", open_items: 4 });
  });

  it("shows every plan when none is named", () => {
    const shop = workshop();
    shop.repository.write("second.md", ONE_STEP);
    ok(shop.json("state", "init", "second.md"));
    const plans = ok(shop.json("state", "show"))["plans"] as Data[];
    expect(plans.map((plan) => plan["plan_path"])).toEqual([PLAN, "second.md"]);
    expect(plans[0]).toEqual(shop.plan());
  });

  it("refuses a plan without state", () => {
    const shop = workshop();
    shop.repository.write("second.md", ONE_STEP);
    expect(refused(shop.json("state", "show", "second.md"), "E059", 3).hint).toContain(
      "state init second.md",
    );
  });
});

describe("Step 6.2: Ready command", () => {
  /** Completed, held, ready, blocked by one, on hold. */
  const MIXED = planText([
    { number: "0" },
    { number: "1" },
    { number: "2" },
    { number: "3", dependsOn: ["step-2"] },
    { number: "4" },
  ]);

  it("sorts steps into ready, blocked, held and completed", () => {
    const shop = workshop(MIXED);
    const mine = shop.worktree("mine");
    shop.finish(mine, "step-0");
    ok(shop.claim(mine, "--step", "step-1"));
    ok(shop.json("state", "hold", PLAN, "step-4", "--reason", "not now"));

    const answer = ok(shop.json("state", "ready", PLAN));

    expect(answer["plan_path"]).toBe(PLAN);
    expect(answer["completed"]).toMatchObject([{ anchor: "step-0", title: "Work 0", step_index: 0 }]);
    expect(answer["held"]).toMatchObject([
      { anchor: "step-1", held_by: mine, until: expect.any(String), claim: 1 },
    ]);
    expect(answer["ready"]).toEqual([{ anchor: "step-2", title: "Work 2", step_index: 2 }]);
    expect(answer["blocked"]).toMatchObject([
      { anchor: "step-3", blocked_by: ["step-2"], reason: "dependencies" },
      { anchor: "step-4", blocked_by: [], reason: "on_hold", note: "not now" },
    ]);
    expect(answer["expired_claim"]).toEqual([]);
  });

  it("lists a step whose lease is over as one that can be claimed", async () => {
    const shop = workshop(MIXED);
    const mine = shop.worktree("mine");
    ok(shop.claim(mine, "--lease-duration", "1"));
    const ready = () => ok(shop.json("state", "ready", PLAN));
    await until(() => (ready()["expired_claim"] as Data[]).length > 0, "the lease is over");

    expect(ready()["expired_claim"]).toMatchObject([{ anchor: "step-0", held_by: mine, claim: 1 }]);
    expect(ready()["held"]).toEqual([]);
    expect(ok(shop.claim(shop.worktree("other")))).toMatchObject({ anchor: "step-0", reclaimed: true });
  });
});

describe("Step 6.3: Reset command", () => {
  it("puts a step back to pending and clears its claim", () => {
    const shop = workshop();
    const mine = shop.worktree("mine");
    shop.take(mine);
    ok(shop.work("update", mine, "step-0", "--task", "1", "in_progress"));

    expect(ok(shop.json("state", "reset", PLAN, "step-0"))).toMatchObject({
      plan_path: PLAN,
      anchor: "step-0",
      reset: true,
    });
    expect(shop.step("step-0")).toMatchObject({
      status: "pending",
      claimed_by: null,
      claimed_at: null,
      lease_expires_at: null,
      started_at: null,
    });
    expect(shop.items("step-0")[0]).toBe("task 1: open");
  });

  it("resets unfinished substeps and their items too", () => {
    const shop = workshop();
    const mine = shop.worktree("mine");
    shop.finish(mine, "step-0");
    shop.take(mine, "step-1");
    ok(shop.work("update", mine, "step-1-1", "--all", "completed"));
    ok(shop.work("complete", mine, "step-1-1"));
    ok(shop.work("start", mine, "step-1-2"));
    ok(shop.work("update", mine, "step-1-2", "--task", "1", "in_progress"));

    ok(shop.json("state", "reset", PLAN, "step-1"));

    expect(shop.step("step-1-1")["status"]).toBe("completed");
    expect(shop.step("step-1-2")).toMatchObject({ status: "pending", claimed_by: null });
    expect(shop.items("step-1-2")).toEqual(["task 1: open"]);
  });

  it("refuses a completed step", () => {
    const shop = workshop();
    shop.finish(shop.home, "step-0");
    const before = shop.step("step-0");
    refused(shop.json("state", "reset", PLAN, "step-0"), "E050", 4);
    expect(shop.step("step-0")).toEqual(before);
  });

  it("leaves a pending step as it is", () => {
    const shop = workshop();
    ok(shop.json("state", "reset", PLAN, "step-0"));
    expect(shop.step("step-0")).toMatchObject({ status: "pending", claim: 0 });
  });
});

/** Commits with a message that ends in these trailers. */
const commitWith = (shop: Workshop, ...trailers: readonly string[]): string => {
  shop.repository.git("commit", "-q", "--allow-empty", "-m", "work", "-m", trailers.join("\n"));
  return shop.repository.git("rev-parse", "HEAD");
};

describe("Step 6.4: Reconcile command", () => {
  it("completes steps that commits prove, and counts them", () => {
    const shop = workshop();
    const first = commitWith(shop, "Tug-Step: step-0", `Tug-Plan: ${PLAN}`);
    const second = commitWith(shop, "Tug-Step: #step-1", `Tug-Plan: ${PLAN}`);

    expect(ok(shop.json("state", "reconcile", PLAN, "--trust-unsigned"))).toMatchObject({
      plan_path: PLAN,
      reconciled_count: 2,
      skipped_count: 0,
      skipped_mismatches: [],
      proposals: [],
    });
    expect(shop.step("step-0")).toMatchObject({ status: "completed", commit_hash: first });
    expect(shop.step("step-1-2")).toMatchObject({ status: "completed", commit_hash: second });
    expect(ok(shop.claim(shop.home))["anchor"]).toBe("step-2");
  });

  it("skips a completed step whose commit differs and names both hashes", () => {
    const shop = workshop();
    const mine = shop.worktree("mine");
    const recorded = shop.repository.git("rev-parse", "HEAD");
    shop.finish(mine, "step-0", "--commit", recorded);
    const found = commitWith(shop, "Tug-Step: step-0", `Tug-Plan: ${PLAN}`);

    const answer = shop.json("state", "reconcile", PLAN, "--trust-unsigned");

    expect(ok(answer)).toMatchObject({
      reconciled_count: 0,
      skipped_count: 1,
      skipped_mismatches: [{ step_anchor: "step-0", db_hash: recorded, git_hash: found }],
    });
    expect(answer.issues).toMatchObject([{ severity: "warning" }]);
    expect(shop.step("step-0")["commit_hash"]).toBe(recorded);
  });

  it("overwrites the recorded commit by force and skips nothing", () => {
    const shop = workshop();
    const mine = shop.worktree("mine");
    shop.finish(mine, "step-0", "--commit", shop.repository.git("rev-parse", "HEAD"));
    const found = commitWith(shop, "Tug-Step: step-0", `Tug-Plan: ${PLAN}`);

    expect(ok(shop.json("state", "reconcile", PLAN, "--trust-unsigned", "--force"))).toMatchObject({
      skipped_count: 0,
      skipped_mismatches: [],
    });
    expect(shop.step("step-0")["commit_hash"]).toBe(found);
  });
});

describe("Step 6 Summary", () => {
  it("goes through show, ready, reset and reconcile", () => {
    const shop = workshop();
    const mine = shop.worktree("mine");
    ok(shop.claim(mine));
    expect(anchors(ok(shop.json("state", "ready", PLAN))["held"])).toEqual(["step-0"]);
    ok(shop.json("state", "reset", PLAN, "step-0"));
    expect(anchors(ok(shop.json("state", "ready", PLAN))["ready"])).toEqual(["step-0"]);
    commitWith(shop, "Tug-Step: step-0", `Tug-Plan: ${PLAN}`);
    ok(shop.json("state", "reconcile", PLAN, "--trust-unsigned"));
    expect(anchors(ok(shop.json("state", "ready", PLAN))["completed"])).toEqual(["step-0"]);
    expect(shop.step("step-0")["status"]).toBe("completed");
  });
});

describe("Step 9: Doctor state.db health check", () => {
  const checksOf = (answer: Data): Record<string, string> =>
    Object.fromEntries((answer["checks"] as Data[]).map((check) => [check["name"], check["status"]]));

  it("passes when there is no database yet", () => {
    const shop = workshop(null);
    const answer = ok(shop.json("doctor"));
    expect(checksOf(answer)).toMatchObject({ git: "pass", state_db: "pass" });
    expect(ailments(answer)).toEqual([]);
    expect(existsSync(shop.database)).toBe(false);
  });

  it("passes when the database is healthy", () => {
    const shop = workshop();
    const answer = ok(shop.json("doctor"));
    expect(ailments(answer)).toEqual([]);
    expect(
      (answer["checks"] as Data[]).find((check) => check["name"] === "state_db")?.["details"],
    ).toMatchObject({
      where: shop.database,
      schema_version: expect.any(Number),
      journal_mode: "wal",
    });
  });

  it("warns when a plan's file is gone", () => {
    const shop = workshop();
    rmSync(join(shop.home, PLAN));
    const answer = ok(shop.json("doctor"));
    expect(checksOf(answer)).toMatchObject({ state_db: "pass", state_plans: "warn" });
    expect((answer["checks"] as Data[]).find((check) => check["name"] === "state_plans")).toMatchObject({
      details: { orphans: [PLAN] },
    });
  });

  it("fails when the file is no database", () => {
    const shop = workshop();
    rmSync(`${shop.database}-wal`, { force: true });
    writeFileSync(
      shop.database,
      "this is not a database, but it is long enough to have a header of one hundred bytes",
    );
    const answer = shop.json("doctor");
    expect(answer).toMatchObject({ code: 1, data: { summary: { failures: 1 } } });
    expect(checksOf(answer.data)).toMatchObject({ git: "pass", state_db: "fail" });
  });
});

describe("Step 10: Comprehensive integration tests", () => {
  it("full lifecycle: init, claim, start, update all items, complete, show confirms done", () => {
    const shop = workshop(ONE_STEP);
    const mine = shop.worktree("mine");
    const { claim } = shop.take(mine);
    const numbered = ["--claim", String(claim)];
    ok(shop.work("heartbeat", mine, "step-0", ...numbered));
    ok(shop.work("update", mine, "step-0", "--task", "1", "completed", ...numbered));
    ok(
      shop.work(
        "update",
        mine,
        "step-0",
        "--all-tests",
        "completed",
        "--all-checkpoints",
        "completed",
        ...numbered,
      ),
    );
    ok(shop.work("complete", mine, "step-0", ...numbered));
    expect(shop.plan()).toMatchObject({ status: "done", steps: [{ anchor: "step-0", status: "completed" }] });
  });

  it("multi-step plan: a step is blocked until the one it depends on is completed", () => {
    const shop = workshop();
    const [mine, other] = [shop.worktree("mine"), shop.worktree("other")];
    expect(shop.take(mine)["anchor"]).toBe("step-0");
    expect(shop.claim(other).data["claimed"]).toBe(false);
    ok(shop.work("update", mine, "step-0", "--all", "completed"));
    ok(shop.work("complete", mine, "step-0"));
    expect(ok(shop.claim(other))["anchor"]).toBe("step-1");
  });

  it("substep tracking: substeps complete one by one, and their step needs all of them", () => {
    const shop = workshop();
    const mine = shop.worktree("mine");
    shop.finish(mine, "step-0");
    shop.take(mine, "step-1");
    ok(shop.work("update", mine, "step-1", "--all", "completed"));
    for (const [substep, left] of [
      ["step-1-1", ["step-1-2"]],
      ["step-1-2", []],
    ] as const) {
      ok(shop.work("start", mine, substep));
      ok(shop.work("update", mine, substep, "--all", "completed"));
      ok(shop.work("complete", mine, substep));
      const answer = shop.work("complete", mine, "step-1");
      if (left.length > 0) expect(anchors(answer.issues[0]?.details?.["incomplete_substeps"])).toEqual(left);
      else ok(answer);
    }
    expect(shop.step("step-1")["status"]).toBe("completed");
  });

  it("lease expiry and reclaim: another worktree gets the step, and the first owner is fenced off", async () => {
    const shop = workshop();
    const [mine, other] = [shop.worktree("mine"), shop.worktree("other")];
    ok(shop.claim(mine, "--lease-duration", "1"));
    await until(() => shop.claim(other).data["claimed"] === true, "the lease is over");
    expect(shop.step("step-0")).toMatchObject({ claimed_by: other, claim: 2 });
    refused(shop.work("start", mine, "step-0"), "E049", 4);
    refused(shop.work("start", mine, "step-0", "--claim", "1"), "E076", 4);
  });

  it("strict completion rejection lists what is missing, for people too", () => {
    const shop = workshop(ONE_STEP);
    shop.take(shop.home);
    const { code, stderr } = shop.text("state", "complete", PLAN, "step-0", "--worktree", ".");
    expect(code).toBe(1);
    expect(stderr).toContain("error[E051] step-0 has 3 open items.");
    for (const item of ["- task 1: dig", "- test 1: is it flat", "- checkpoint 1: inspected"])
      expect(stderr).toContain(item);
  });

  it("force-complete with reason: the reason is shown and open items are completed", () => {
    const shop = workshop(ONE_STEP);
    shop.take(shop.home);
    ok(shop.work("complete", shop.home, "step-0", "--force", "checked by hand"));
    expect(shop.items("step-0")).toEqual([
      "task 1: completed",
      "test 1: completed",
      "checkpoint 1: completed",
    ]);
    expect(shop.text("state", "show", PLAN).stdout).toContain("forced: checked by hand");
  });

  it("plan hash enforcement: claim, update and complete refuse, the verbs that need no structure do not", () => {
    const shop = workshop();
    const mine = shop.worktree("mine");
    shop.take(mine);
    shop.repository.write(PLAN, SMALL_PLAN.replace("Paint", "Paint it red"));

    refused(shop.claim(mine), "E048", 4);
    refused(shop.work("update", mine, "step-0", "--all", "completed"), "E048", 4);
    refused(shop.work("complete", mine, "step-0", "--force", "x"), "E048", 4);

    ok(shop.work("heartbeat", mine, "step-0"));
    ok(shop.work("artifact", mine, "step-0", "--kind", "auditor_summary", "--summary", "x"));
    ok(shop.json("state", "ready", PLAN));
    expect(ok(shop.json("state", "reset", PLAN, "step-0"))["reset"]).toBe(true);
  });

  it("ownership enforcement: what worktree A claimed, worktree B cannot touch", () => {
    const shop = workshop();
    const [a, b] = [shop.worktree("a"), shop.worktree("b")];
    ok(shop.claim(a));
    for (const [verb, ...more] of [
      ["start"],
      ["heartbeat"],
      ["update", "--all", "completed"],
      ["artifact", "--kind", "auditor_summary", "--summary", "x"],
      ["complete"],
      ["complete", "--force", "mine now"],
      ["release"],
    ] as const)
      refused(shop.work(verb, b, "step-0", ...more), "E049", 4);
    expect(shop.step("step-0")).toMatchObject({ status: "claimed", claimed_by: a, artifacts: [] });
  });

  it("reset and reclaim: the step is pending, then anybody's", () => {
    const shop = workshop();
    const [mine, other] = [shop.worktree("mine"), shop.worktree("other")];
    ok(shop.claim(mine));
    ok(shop.json("state", "reset", PLAN, "step-0"));
    expect(shop.step("step-0")["status"]).toBe("pending");
    expect(ok(shop.claim(other))).toMatchObject({ anchor: "step-0", claim: 3, reclaimed: false });
    refused(shop.work("start", mine, "step-0", "--claim", "1"), "E076", 4);
  });

  it("reconcile from git trailers after the database was lost", () => {
    const shop = workshop();
    const commit = commitWith(shop, "Tug-Step: step-0", `Tug-Plan: ${PLAN}`);
    rmSync(join(shop.home, ".git/pawl"), { recursive: true });

    refused(shop.json("state", "init", PLAN), "E387", 4);
    ok(shop.json("state", "reconcile", PLAN));
    refused(shop.json("state", "init", PLAN), "E387", 4);
    ok(shop.json("state", "reconcile", PLAN, "--trust-unsigned"));

    expect(shop.step("step-0")).toMatchObject({ status: "completed", commit_hash: commit });
  });
});

describe("Step 10: concurrent ownership race", () => {
  it("hands one step to exactly one of twelve worktrees", async () => {
    const shop = workshop(flatPlan(1));
    const trees = Array.from({ length: 12 }, (_, index) => shop.worktree(`w${index}`));

    const answers = await race(
      shop,
      trees.map((tree) => ["state", "claim", PLAN, "--worktree", tree]),
    );

    const winners = answers.filter(({ data }) => data["claimed"] === true);
    expect(winners).toHaveLength(1);
    expect(answers.filter(({ code }) => code === 6)).toHaveLength(11);
    expect(shop.step("step-1")).toMatchObject({ status: "claimed", claim: 1 });
  });

  it("hands each of six steps to another one of twelve worktrees", async () => {
    const shop = workshop(flatPlan(6));
    const trees = Array.from({ length: 12 }, (_, index) => shop.worktree(`w${index}`));

    const answers = await race(
      shop,
      trees.map((tree) => ["state", "claim", PLAN, "--worktree", tree]),
    );

    const claimed = answers.flatMap(({ data }) => (data["claimed"] === true ? [data["anchor"]] : []));
    expect(claimed).toHaveLength(6);
    expect(new Set(claimed)).toEqual(new Set(words("step-1 step-2 step-3 step-4 step-5 step-6")));
    const holders = (shop.plan()["steps"] as Data[]).map((step) => step["claimed_by"]);
    expect(new Set(holders).size).toBe(6);
  });

  it.each([
    ["start", "claimed", []],
    ["update", "in_progress", ["--all", "completed"]],
    ["complete", "in_progress", []],
  ] as const)("lets only the owner %s, however many processes of both try", async (verb, from, more) => {
    const shop = workshop(ONE_STEP);
    const [owner, stranger] = [shop.worktree("owner"), shop.worktree("stranger")];
    ok(shop.claim(owner));
    if (from === "in_progress") ok(shop.work("start", owner, "step-0"));
    if (verb === "complete") ok(shop.work("update", owner, "step-0", "--all", "completed"));

    const call = (tree: string) => ["state", verb, PLAN, "step-0", "--worktree", tree, ...more];
    const answers = await race(
      shop,
      Array.from({ length: 12 }, (_, index) => call(index % 2 === 0 ? stranger : owner)),
    );

    const codesOf = (parity: number) =>
      answers.filter((_, index) => index % 2 === parity).map(({ issues }) => issues[0]?.code ?? "ok");
    // A start or a completion happens once, and a stranger hears that the step is not his, or, too late, that it is
    // over; ticking twice is no harm.
    const once = verb === "update" ? "ok" : "E050";
    expect(codesOf(1).toSorted().toReversed()).toEqual(["ok", ...Array.from({ length: 5 }, () => once)]);
    for (const code of codesOf(0)) expect(verb === "complete" ? ["E049", "E050"] : ["E049"]).toContain(code);
    expect(shop.step("step-0")["status"]).toBe(
      { start: "in_progress", update: "in_progress", complete: "completed" }[verb],
    );
  });

  it("never lets an owner complete a step that another worktree takes at the same moment", async () => {
    const shop = workshop(flatPlan(8));
    const [owner, thief] = [shop.worktree("owner"), shop.worktree("thief")];
    const outcomes: string[] = [];
    for (let round = 1; round <= 8; round += 1) {
      const step = `step-${round}`;
      shop.take(owner, step);

      const [completion, theft] = await race(shop, [
        ["state", "complete", PLAN, step, "--worktree", owner],
        ["state", "claim", PLAN, "--worktree", thief, "--step", step, "--force"],
      ]);

      const won = { completion: completion?.status === "ok", theft: theft?.data["claimed"] === true };
      expect(won.completion).not.toBe(won.theft);
      if (won.theft) {
        expect(completion?.issues[0]?.code).toBe("E049");
        expect(shop.step(step)).toMatchObject({ status: "claimed", claimed_by: thief });
        ok(shop.json("state", "hold", PLAN, step));
      } else {
        expect(shop.step(step)).toMatchObject({ status: "completed", claimed_by: owner });
      }
      outcomes.push(won.theft ? "theft" : "completion");
    }
    expect(outcomes).toHaveLength(8);
  });
});
