import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Envelope, PAWL, pawlAsync, pawlJson } from "../support/cli.ts";
import { planText } from "../support/plans.ts";
import { cleanEnv } from "../support/repository.ts";
import { makeVersion1, type Rows } from "../support/version-1.ts";
import { ailments, type Data, ok, PLAN, refused, type Workshop, workshop } from "../support/workshop.ts";
import { dump, query } from "../support/world.ts";

const TEXT = planText([
  { number: "0", title: "Ground", tasks: ["dig", "level"], tests: ["is it flat"] },
  { number: "1", title: "Walls", dependsOn: ["step-0"], tasks: ["bricks", "mortar"] },
  { number: "1.1", title: "North", tasks: ["measure"] },
  { number: "1.2", title: "South", tasks: ["measure"] },
  { number: "1.3", title: "East", tasks: ["measure"] },
  { number: "2", title: "Roof", dependsOn: ["step-1"], tasks: ["beams"] },
  { number: "3", title: "Garden", tasks: ["seeds"] },
  { number: "4", title: "Fence" },
  { number: "5", title: "Gate" },
]);
const HASH = createHash("sha256").update(TEXT).digest("hex");
const COMMIT = "4f2a91c0d4f2a91c0d4f2a91c0d4f2a91c0d4f2a";

/** What a project in the middle of its work looked like, with the times that version 1 and its users wrote. */
function goodRows(mine: string, other: string): Rows {
  const step = (anchor: string, index: number, title: string, more: Rows[string][number] = {}) => ({
    plan_path: PLAN,
    anchor,
    parent_anchor: /^step-\d-\d$/.test(anchor) ? anchor.slice(0, -2) : null,
    step_index: index,
    title,
    status: "pending",
    ...more,
  });
  const held = {
    claimed_by: mine,
    claimed_at: "2026-02-23T10:00:00Z",
    lease_expires_at: "2026-02-23T14:00:00+02:00",
  };
  const item = (step_anchor: string, kind: string, ordinal: number, text: string, status = "open") => ({
    plan_path: PLAN,
    step_anchor,
    kind,
    ordinal,
    text,
    status,
    updated_at: status === "open" ? null : "2026-02-23T10:30:00.5Z",
  });
  return {
    plans: [
      {
        plan_path: PLAN,
        plan_hash: HASH,
        phase_title: "A plan for tests",
        status: "active",
        created_at: "2026-02-23T09:00:00+01:00",
        updated_at: "2026-02-23T08:00:00.123456Z",
      },
    ],
    steps: [
      step("step-0", 0, "Ground", {
        status: "completed",
        claimed_by: mine,
        completed_at: "2026-02-23T09:59:59Z",
        commit_hash: COMMIT,
      }),
      step("step-1", 1, "Walls", { ...held, status: "in_progress", started_at: "2026-02-23T10:00:01Z" }),
      step("step-1-1", 2, "North", { ...held, status: "completed", completed_at: "2026-02-23T10:20:00Z" }),
      step("step-1-2", 3, "South", { ...held, status: "in_progress" }),
      // Version 1 left substeps pending when their step was claimed.
      step("step-1-3", 4, "East"),
      step("step-2", 5, "Roof"),
      step("step-3", 6, "Garden", {
        status: "claimed",
        claimed_by: other,
        claimed_at: "2026-02-23T10:00:00Z",
        lease_expires_at: "2099-01-01T00:00:00Z",
      }),
      step("step-4", 7, "Fence", {
        status: "completed",
        completed_at: "2026-02-23T11:00:00Z",
        complete_reason: "the neighbour did it",
      }),
      step("step-5", 8, "Gate"),
    ],
    step_deps: [
      { plan_path: PLAN, step_anchor: "step-1", depends_on: "step-0" },
      { plan_path: PLAN, step_anchor: "step-2", depends_on: "step-1" },
    ],
    checklist_items: [
      item("step-0", "task", 0, "dig", "completed"),
      item("step-0", "task", 1, "level", "completed"),
      item("step-0", "test", 0, "is it flat", "completed"),
      item("step-1", "task", 0, "bricks", "completed"),
      item("step-1", "task", 1, "mortar", "in_progress"),
      item("step-1-1", "task", 0, "measure", "completed"),
      item("step-1-2", "task", 0, "measure"),
      item("step-1-3", "task", 0, "measure"),
      item("step-2", "task", 0, "beams"),
      item("step-3", "task", 0, "seeds"),
    ],
    step_artifacts: [
      {
        plan_path: PLAN,
        step_anchor: "step-1",
        kind: "architect_strategy",
        summary: "north first",
        recorded_at: "2026-02-23T10:01:00Z",
      },
    ],
  };
}

/** A repository whose database is of version 1, with two worktrees. */
function oldShop(change: (rows: Rows) => Rows = (rows) => rows): Workshop & { mine: string; other: string } {
  const shop = workshop(null);
  const [mine, other] = [shop.worktree("mine"), shop.worktree("other")];
  shop.repository.write(PLAN, TEXT);
  makeVersion1(shop.database, change(goodRows(mine, other)));
  return { ...shop, mine, other };
}

const backup = (shop: Workshop): string => `${shop.database}.v1.bak`;

describe("a database of version 1", () => {
  it("opens, and everything in it is there", () => {
    const shop = oldShop();
    const plan = shop.plan();
    expect(plan).toMatchObject({
      plan_path: PLAN,
      plan_hash: HASH,
      phase_title: "A plan for tests",
      status: "active",
      totals: {
        steps: 6,
        steps_completed: 2,
        substeps: 3,
        substeps_completed: 1,
        items: 10,
        items_completed: 5,
      },
    });
    expect(
      (plan["steps"] as Data[]).map((step) => [step["anchor"], step["status"], step["blocked_by"]]),
    ).toEqual([
      ["step-0", "completed", []],
      ["step-1", "in_progress", []],
      ["step-2", "pending", ["step-1"]],
      ["step-3", "claimed", []],
      ["step-4", "completed", []],
      ["step-5", "pending", []],
    ]);
    expect(shop.step("step-0")).toMatchObject({ commit_hash: COMMIT, claimed_by: shop.mine });
    expect(shop.step("step-4")).toMatchObject({ complete_reason: "the neighbour did it" });
    expect(shop.step("step-1")).toMatchObject({
      claimed_by: shop.mine,
      artifacts: [{ kind: "architect_strategy", summary: "north first" }],
    });
    expect(shop.items("step-1")).toEqual(["task 1: completed", "task 2: in_progress"]);
  });

  it("gets all its times in the one form, so that text order is time order", () => {
    const shop = oldShop();
    ok(shop.json("state", "show", PLAN));
    expect(query(shop.database, "select created_at, updated_at from plans")).toEqual([
      { created_at: "2026-02-23T08:00:00.000Z", updated_at: "2026-02-23T08:00:00.123Z" },
    ]);
    expect(
      query(shop.database, "select claimed_at, lease_expires_at from steps where anchor = 'step-1'"),
    ).toEqual([{ claimed_at: "2026-02-23T10:00:00.000Z", lease_expires_at: "2026-02-23T12:00:00.000Z" }]);
    const times = Object.values(dump(shop.database))
      .flat()
      .flatMap((row) => Object.entries(row))
      .filter(([name, value]) => name.endsWith("_at") && value !== null);
    expect(times.length).toBeGreaterThan(10);
    for (const [, value] of times) expect(value).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  it("leaves a copy of itself behind, as it was", () => {
    const shop = oldShop();
    const before = dump(shop.database);
    ok(shop.json("state", "show", PLAN));
    expect(dump(backup(shop))).toEqual(before);
    expect(query(backup(shop), "select version from schema_version")).toEqual([{ version: 1 }]);
    expect(readdirSync(dirname(shop.database)).filter((name) => /bak/.test(name))).toEqual([
      "state.db.v1.bak",
    ]);
  });

  it("is migrated once: opening it again changes neither it nor the copy", () => {
    const shop = oldShop();
    ok(shop.json("state", "show", PLAN));
    const before = { rows: dump(shop.database), copy: statSync(backup(shop)).mtimeMs };
    ok(shop.json("state", "show", PLAN));
    ok(shop.json("state", "init", PLAN));
    expect({ rows: dump(shop.database), copy: statSync(backup(shop)).mtimeMs }).toEqual(before);
    expect(ailments(ok(shop.json("doctor")))).toEqual([]);
  });

  it("may lie in the folder where version 1 kept it", () => {
    const shop = workshop(null);
    const [mine, other] = [shop.worktree("mine"), shop.worktree("other")];
    shop.repository.write(PLAN, TEXT);
    const folder = join(shop.home, ".tugtool");
    mkdirSync(folder, { mode: 0o755 });
    makeVersion1(join(folder, "state.db"), goodRows(mine, other));
    const answer = shop.jsonWith({ env: { PAWL_STATE_DIR: ".tugtool" } }, "state", "list");
    expect(ok(answer)["plans"]).toMatchObject([{ plan_path: PLAN, steps_completed: 2, steps_held: 2 }]);
  });

  it("is refused unchanged when its folder is open to everybody", () => {
    const shop = oldShop();
    const before = dump(shop.database);
    chmodSync(dirname(shop.database), 0o777);
    refused(shop.json("state", "show", PLAN), "E046", 3);
    expect(dump(shop.database)).toEqual(before);
  });
});

describe("work continues in it", () => {
  it("gives the owner its step back by the path it was claimed with", () => {
    const shop = oldShop();
    expect(ok(shop.claim(shop.mine))).toMatchObject({
      anchor: "step-1",
      reclaimed: true,
      displaced: null,
      claim: 2,
    });
    expect(shop.items("step-1")).toEqual(["task 1: completed", "task 2: open"]);
  });

  it("gives a step whose lease is over to another worktree and clears its ticks", () => {
    const shop = oldShop();
    const third = shop.worktree("third");
    expect(ok(shop.claim(third))).toMatchObject({
      anchor: "step-1",
      reclaimed: true,
      displaced: { worktree: shop.mine, claim: 1 },
    });
    expect(shop.items("step-1")).toEqual(["task 1: open", "task 2: open"]);
    expect(shop.step("step-1-1")["status"]).toBe("completed");
    for (const substep of ["step-1-2", "step-1-3"])
      expect(shop.step(substep)).toMatchObject({ status: "claimed", claimed_by: third });
  });

  it("keeps a step whose lease runs on for its owner", () => {
    const shop = oldShop();
    const third = shop.worktree("third");
    expect(ok(shop.claim(third))["anchor"]).toBe("step-1");
    expect(ok(shop.claim(shop.worktree("fourth")))["anchor"]).toBe("step-5");
    expect(shop.claim(shop.worktree("fifth"))).toMatchObject({ code: 6, data: { claimed: false } });
    expect(ok(shop.claim(shop.other))["anchor"]).toBe("step-3");
  });

  it("lets the owner go on without a new claim, also on a substep that version 1 left pending", () => {
    const shop = oldShop();
    ok(shop.work("heartbeat", shop.mine, "step-1"));
    ok(shop.work("update", shop.mine, "step-1", "--all", "completed"));
    for (const substep of ["step-1-2", "step-1-3"]) {
      ok(shop.work("update", shop.mine, substep, "--all", "completed"));
      ok(shop.work("complete", shop.mine, substep));
    }
    ok(shop.work("complete", shop.mine, "step-1"));
    expect(ok(shop.claim(shop.mine))).toMatchObject({ anchor: "step-2", claim: 1 });
  });

  it("refuses a stranger, and an old number", () => {
    const shop = oldShop();
    const stranger = refused(shop.work("update", shop.other, "step-1", "--all", "completed"), "E049", 4);
    expect(stranger.details).toMatchObject({ held_by: shop.mine, claim: 1 });
    ok(shop.claim(shop.mine));
    const late = refused(shop.work("start", shop.mine, "step-1", "--claim", "1"), "E076", 4);
    expect(late.details).toMatchObject({ held_by: shop.mine, claim: 2 });
  });

  it("can be worked to its end", () => {
    const shop = oldShop();
    ok(shop.json("state", "release", PLAN, "step-3", "--force"));
    for (const anchor of ["step-1", "step-2", "step-3", "step-5"]) {
      const { anchor: claimed } = ok(shop.claim(shop.mine, "--step", anchor));
      expect(claimed).toBe(anchor);
      ok(shop.work("start", shop.mine, anchor));
      ok(shop.work("complete", shop.mine, anchor, "--force", "time"));
    }
    expect(shop.plan()["status"]).toBe("done");
  });

  it("keeps its progress when an edited plan is read again, although it knows only titles and items", () => {
    const shop = oldShop();
    shop.repository.write(PLAN, TEXT.replace("beams", "steel beams"));
    ok(shop.claim(shop.mine));
    expect(shop.step("step-0")).toMatchObject({ status: "completed", commit_hash: COMMIT });
    expect(shop.step("step-1")).toMatchObject({ status: "claimed", claimed_by: shop.mine });
    expect(shop.items("step-1")).toEqual(["task 1: completed", "task 2: open"]);
  });
});

describe("what version 1 let in and no verb can use", () => {
  const more =
    (table: string, ...extra: Rows[string]) =>
    (rows: Rows): Rows => ({
      ...rows,
      [table]: [...(rows[table] ?? []), ...extra],
    });
  const changeStep =
    (anchor: string, change: Rows[string][number]) =>
    (rows: Rows): Rows => ({
      ...rows,
      steps: (rows["steps"] ?? []).map((step) => (step["anchor"] === anchor ? { ...step, ...change } : step)),
    });
  const item = {
    plan_path: PLAN,
    step_anchor: "step-2",
    kind: "task",
    ordinal: 0,
    text: "beams",
    status: "open",
  };

  it.each<[string, (rows: Rows) => Rows, (shop: Workshop) => void]>([
    [
      "an unknown status becomes pending",
      changeStep("step-5", { status: "paused" }),
      (shop) => expect(shop.step("step-5")["status"]).toBe("pending"),
    ],
    [
      "a claim without an owner becomes pending",
      changeStep("step-3", { claimed_by: null }),
      (shop) => expect(shop.step("step-3")["status"]).toBe("pending"),
    ],
    [
      "a plan's unknown status becomes active",
      (rows) => ({ ...rows, plans: rows["plans"]!.map((plan) => ({ ...plan, status: "half done" })) }),
      (shop) => expect(shop.plan()["status"]).toBe("active"),
    ],
    [
      "an item's unknown status becomes open",
      more("checklist_items", { ...item, ordinal: 1, text: "tiles", status: "done-ish" }),
      (shop) => expect(shop.items("step-2")).toEqual(["task 1: open", "task 2: open"]),
    ],
    [
      "a doubled item is there once",
      more("checklist_items", item, { ...item, text: "beams again" }),
      (shop) => expect(shop.step("step-2")["items"]).toMatchObject([{ ordinal: 1, text: "beams" }]),
    ],
    [
      "an item of an unknown kind stays behind",
      more("checklist_items", { ...item, kind: "wish" }),
      (shop) => expect(shop.items("step-2")).toEqual(["task 1: open"]),
    ],
    [
      "an item of a step that does not exist stays behind",
      more("checklist_items", { ...item, step_anchor: "step-9" }),
      (shop) =>
        expect(query(shop.database, "select * from checklist_items where step_anchor = 'step-9'")).toEqual(
          [],
        ),
    ],
    [
      "an artifact of an unknown kind stays behind",
      more("step_artifacts", {
        plan_path: PLAN,
        step_anchor: "step-1",
        kind: "poem",
        summary: "roses",
        recorded_at: "2026-02-23T10:01:00Z",
      }),
      (shop) => expect(shop.step("step-1")["artifacts"]).toHaveLength(1),
    ],
    [
      "a dependency on a step that does not exist blocks nothing",
      more("step_deps", { plan_path: PLAN, step_anchor: "step-5", depends_on: "step-9" }),
      (shop) => expect(shop.step("step-5")["blocked_by"]).toEqual([]),
    ],
    [
      "a substep of a step that does not exist stands alone",
      more("steps", {
        plan_path: PLAN,
        anchor: "step-8-1",
        parent_anchor: "step-8",
        step_index: 9,
        title: "Lost",
      }),
      (shop) => expect(shop.step("step-8-1")).toMatchObject({ parent_anchor: null, status: "pending" }),
    ],
    [
      "a step of a plan that does not exist stays behind",
      more("steps", { plan_path: "gone.md", anchor: "step-0", step_index: 0, title: "Gone" }),
      (shop) => expect(query(shop.database, "select * from steps where plan_path = 'gone.md'")).toEqual([]),
    ],
    [
      "a time that is none does not stop it",
      changeStep("step-3", { lease_expires_at: "soon", claimed_at: "" }),
      (shop) => expect(shop.step("step-3")["status"]).toBe("claimed"),
    ],
  ])("%s", (_, change, check) => {
    const shop = oldShop(change);
    const before = dump(shop.database);
    ok(shop.json("state", "show", PLAN));

    check(shop);

    expect(dump(backup(shop))).toEqual(before);
    expect(ok(shop.json("doctor"))["summary"]).toMatchObject({ failures: 0 });
    ok(shop.json("state", "claim", PLAN, "--worktree", "."));
  });
});

describe("many processes", () => {
  it("migrate it once: one schema, one right copy, nothing left over", async () => {
    const shop = oldShop();
    const before = dump(shop.database);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => pawlAsync({ cwd: shop.home }, "state", "show", PLAN, "--json")),
    );

    expect(answers.map(({ code, stderr }) => `${code}${stderr}`)).toEqual(
      Array.from({ length: 20 }, () => "0"),
    );
    const shown = answers.map(({ stdout }) => (JSON.parse(stdout) as Envelope).data["plan"]["totals"]);
    expect(new Set(shown.map((totals) => JSON.stringify(totals))).size).toBe(1);
    expect(query(shop.database, "select count(*) as n from schema_version")).toEqual([{ n: 1 }]);
    expect(query(shop.database, "select count(*) as n from checklist_items")).toEqual([{ n: 10 }]);
    expect(dump(backup(shop))).toEqual(before);
    expect(readdirSync(dirname(shop.database)).toSorted()).toEqual([
      "ID",
      "state.db",
      "state.db-shm",
      "state.db-wal",
      "state.db.v1.bak",
    ]);
  });
});

describe("a kill during the migration", () => {
  /** Enough rows that the migration takes long enough to be hit. */
  const MANY = 30_000;
  const many = (rows: Rows): Rows => ({
    ...rows,
    checklist_items: [
      ...rows["checklist_items"]!,
      ...Array.from({ length: MANY }, (_, ordinal) => ({
        plan_path: PLAN,
        step_anchor: "step-5",
        kind: "test",
        ordinal,
        text: `number ${ordinal}`,
        status: "completed",
      })),
    ],
  });

  /** Starts a command and kills it as soon as a file of that name appears beside the database. */
  async function killWhen(shop: Workshop, appears: RegExp): Promise<NodeJS.Signals | null> {
    const child = spawn(process.execPath, [PAWL, "state", "list"], {
      cwd: shop.home,
      env: cleanEnv(),
      stdio: "ignore",
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    const ended = once(child, "close") as Promise<[number | null, NodeJS.Signals | null]>;
    const folder = dirname(shop.database);
    while (child.exitCode === null && !readdirSync(folder).some((name) => appears.test(name)))
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
    child.kill("SIGKILL");
    return (await ended)[1];
  }

  it.each([
    ["while the copy is written", /\.bak\./],
    ["right after the copy, while tables are built anew", /\.bak$/],
  ])("leaves it whole, and the next command finishes it: %s", async (_, appears) => {
    const shop = oldShop(many);
    const before = dump(shop.database);

    expect(await killWhen(shop, appears)).toBe("SIGKILL");

    // The power of this test: the kill came before the end.
    expect(query(shop.database, "select version from schema_version")).toEqual([{ version: 1 }]);
    expect(dump(shop.database)).toEqual(before);
    expect(shop.plan()["totals"]).toMatchObject({ items: 10 + MANY, items_completed: 5 + MANY });
    expect(ok(shop.json("doctor"))["summary"]).toMatchObject({ failures: 0 });
    expect(existsSync(backup(shop))).toBe(true);
    expect(query(backup(shop), "select version from schema_version")).toEqual([{ version: 1 }]);
    expect(readdirSync(dirname(shop.database)).filter((name) => /bak/.test(name))).toEqual([
      "state.db.v1.bak",
    ]);
    expect(ok(shop.claim(shop.mine))["anchor"]).toBe("step-1");
  });

  it("at any moment leaves the old rows or the new ones, never others", async () => {
    const shop = oldShop(many);
    const before = dump(shop.database);
    const seen = new Set<unknown>();
    for (let delayMs = 40; delayMs <= 400; delayMs += 40) {
      const child = spawn(process.execPath, [PAWL, "state", "list"], {
        cwd: shop.home,
        env: cleanEnv(),
        stdio: "ignore",
      });
      const ended = once(child, "close");
      const timer = setTimeout(() => child.kill("SIGKILL"), delayMs);
      await ended;
      clearTimeout(timer);
      const [row] = query(shop.database, "select version from schema_version");
      seen.add(row?.["version"]);
      if (row?.["version"] !== 1) break;
      expect(dump(shop.database)).toEqual(before);
    }
    expect(seen.has(1)).toBe(true);
    expect(ok(pawlJson({ cwd: shop.home }, "state", "show", PLAN))["plan"]["totals"]).toMatchObject({
      items: 10 + MANY,
    });
  });
});
