import { existsSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { localTimes } from "../../src/cli/text/times.ts";
import { flatPlan, planText } from "../support/plans.ts";
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
import { makeVersion1 } from "../support/version-1.ts";
import { withDatabase, worldOf } from "../support/world.ts";

const operate = (shop: Workshop, verb: string, step: string, ...more: readonly string[]) =>
  shop.json("state", verb, PLAN, step, ...more);

const eventsOf = (shop: Workshop, ...more: readonly string[]): readonly Data[] =>
  ok(shop.json("state", "events", ...more))["events"] as Data[];

describe("init", () => {
  it("writes a pawl.toml that says everything in comments and changes nothing", () => {
    const shop = workshop(flatPlan(1));
    expect(ok(shop.json("init"))).toMatchObject({ settings_created: true });
    const text = readFileSync(join(shop.home, "pawl.toml"), "utf8");
    expect(text).toContain('# database_url = "');
    expect(text.split("\n").filter((line) => line !== "" && !line.startsWith("#"))).toEqual([]);
    expect(shop.json("state", "show", PLAN).code).toBe(0);
  });

  it("leaves a pawl.toml as it is", () => {
    const shop = workshop(flatPlan(1));
    shop.repository.write("pawl.toml", 'remote = "upstream"\n');
    expect(ok(shop.json("init"))).toMatchObject({ settings_created: false });
    expect(readFileSync(join(shop.home, "pawl.toml"), "utf8")).toBe('remote = "upstream"\n');
  });
});

describe("a decision that says what it was made on", () => {
  it.each([
    ["hold", []],
    ["retry", []],
    ["reset", []],
    ["release", ["--force"]],
    ["reopen", ["--reason", "again"]],
  ] as const)("%s does nothing when the step stands otherwise by then", (verb, more) => {
    const shop = workshop(flatPlan(1));
    ok(shop.json("state", "init", PLAN));
    ok(shop.claim("."));
    const before = worldOf(shop.repository);
    for (const seen of ["pending:0", "claimed:2"])
      refused(operate(shop, verb, "step-1", ...more, "--seen", seen), "E240", 4);
    for (const wrong of ["claimed", "claimed:", "nothing:1", "claimed:x", ":1", "toString:1"])
      expect({ wrong, code: operate(shop, verb, "step-1", ...more, "--seen", wrong).code }).toEqual({
        wrong,
        code: 2,
      });
    expect(worldOf(shop.repository)).toEqual(before);
  });

  it("is carried out when it still stands so", () => {
    const shop = workshop(flatPlan(1));
    ok(shop.json("state", "init", PLAN));
    expect(ok(operate(shop, "hold", "step-1", "--seen", "pending:0"))).toMatchObject({ status: "on_hold" });
    expect(ok(operate(shop, "retry", "step-1", "--seen=on_hold:1"))).toMatchObject({ status: "pending" });
  });
});

describe("state hold", () => {
  it("of a substep shows its step on hold, in words", () => {
    const shop = workshop();
    ok(operate(shop, "hold", "step-1-2"));
    const { stdout } = shop.text("state", "show", PLAN);
    expect(stdout).toMatch(/^ +on hold: its substep step-1-2 is on hold$/m);
    ok(operate(shop, "hold", "step-0"));
    expect(shop.text("state", "ready", PLAN).stdout).toMatch(/step-0 .* on hold$/m);
    expect(shop.text("state", "ready", PLAN).stdout).not.toContain("on_hold");
  });

  it("keeps a free step from being handed out and says why to every caller", () => {
    const shop = workshop(flatPlan(2));
    expect(ok(operate(shop, "hold", "step-1", "--reason", "waiting for parts"))).toMatchObject({
      plan_path: PLAN,
      anchor: "step-1",
      held: true,
      status: "on_hold",
    });
    const [mine, other] = [shop.worktree("mine"), shop.worktree("other")];
    expect(ok(shop.claim(mine))["anchor"]).toBe("step-2");
    const answer = shop.claim(other);
    expect(answer).toMatchObject({ code: 6, data: { claimed: false } });
    expect(answer.data["waiting"]).toMatchObject([
      { anchor: "step-1", reason: "on_hold", note: "waiting for parts" },
      { anchor: "step-2", reason: "held", held_by: mine },
    ]);
    expect(shop.claim(other, "--force", "--step", "step-1")).toMatchObject({ code: 6 });
  });

  it("fences off the owner of a step, substeps included", () => {
    const shop = workshop();
    const mine = shop.worktree("mine");
    shop.finish(mine, "step-0");
    shop.take(mine, "step-1");
    expect(ok(operate(shop, "hold", "step-1"))).toMatchObject({ was_claimed_by: mine });
    refused(shop.work("update", mine, "step-1", "--all", "completed"), "E050", 4);
    refused(shop.work("update", mine, "step-1-1", "--all", "completed", "--claim", "1"), "E076", 4);
    expect(shop.step("step-1")).toMatchObject({
      status: "on_hold",
      claimed_by: null,
      lease_expires_at: null,
    });
    expect(shop.step("step-1-1")).toMatchObject({ status: "pending", claimed_by: null });
  });

  it("refuses a completed step", () => {
    const shop = workshop(flatPlan(1));
    shop.finish(shop.home, "step-1");
    refused(operate(shop, "hold", "step-1"), "E050", 4);
    expect(shop.step("step-1")["status"]).toBe("completed");
  });
});

describe("state retry", () => {
  it("lets a step that was on hold be claimed again", () => {
    const shop = workshop(flatPlan(1));
    ok(operate(shop, "hold", "step-1", "--reason", "rain"));
    expect(ok(operate(shop, "retry", "step-1"))).toMatchObject({ retried: true, status: "pending" });
    expect(shop.step("step-1")).toMatchObject({ status: "pending", block_note: null });
    expect(ok(shop.claim(shop.home))["anchor"]).toBe("step-1");
  });

  it.each(["pending", "claimed", "completed"])("refuses a step that is %s", (status) => {
    const shop = workshop(flatPlan(1));
    if (status === "claimed") ok(shop.claim(shop.home));
    if (status === "completed") shop.finish(shop.home, "step-1");
    refused(operate(shop, "retry", "step-1"), "E050", 4);
    expect(shop.step("step-1")["status"]).toBe(status);
  });
});

describe("state reopen", () => {
  it("takes a completion back with a reason; dependants wait again and the plan is active", () => {
    const shop = workshop(
      planText([
        { number: "0", tasks: ["dig"] },
        { number: "1", dependsOn: ["step-0"] },
      ]),
    );
    shop.finish(shop.home, "step-0");
    shop.finish(shop.home, "step-1");
    expect(shop.plan()["status"]).toBe("done");

    expect(ok(operate(shop, "reopen", "step-0", "--reason", "the fix was reverted"))).toMatchObject({
      anchor: "step-0",
      reopened: true,
      status: "pending",
    });

    expect(shop.plan()["status"]).toBe("active");
    expect(shop.step("step-0")).toMatchObject({
      status: "pending",
      reopen_reason: "the fix was reverted",
      completed_at: null,
      commit_hash: null,
      claimed_by: null,
    });
    expect(shop.items("step-0")).toEqual(["task 1: open"]);
    expect(shop.step("step-1")["status"]).toBe("completed");
    expect(ok(shop.claim(shop.home))["anchor"]).toBe("step-0");
  });

  it.each([[], ["--reason", ""], ["--reason", "  "]])("needs a reason (%j %j)", (...more) => {
    const shop = workshop(flatPlan(1));
    shop.finish(shop.home, "step-1");
    refused(operate(shop, "reopen", "step-1", ...more), "E081", 2);
    expect(shop.step("step-1")["status"]).toBe("completed");
  });

  it("refuses a step that is not completed", () => {
    const shop = workshop();
    refused(operate(shop, "reopen", "step-0", "--reason", "x"), "E050", 4);
    expect(shop.step("step-0")["status"]).toBe("pending");
  });

  it.each([
    ["a substep with its step, and no other substep", "step-1-1", ["pending", "pending", "completed"]],
    ["a step with all its substeps", "step-1", ["pending", "pending", "pending"]],
  ])("opens %s", (_, anchor, after) => {
    const shop = workshop();
    shop.finish(shop.home, "step-0");
    shop.finish(shop.home, "step-1");
    ok(operate(shop, "reopen", anchor, "--reason", "x"));
    expect(["step-1", "step-1-1", "step-1-2"].map((one) => shop.step(one)["status"])).toEqual(after);
  });

  it("makes what waits for the step and is not begun wait again, also at two levels", () => {
    const shop = workshop();
    shop.finish(shop.home, "step-0");
    expect(ok(shop.claim(shop.home))["anchor"]).toBe("step-1");
    ok(shop.work("release", shop.home, "step-1"));
    ok(operate(shop, "reopen", "step-0", "--reason", "x"));
    expect(shop.step("step-1")["blocked_by"]).toEqual(["step-0"]);
    expect(ok(shop.claim(shop.home))["anchor"]).toBe("step-0");
  });
});

describe("state events", () => {
  it("tells every change once, in order, with who did it under which number", () => {
    const shop = workshop(planText([{ number: "0", tasks: ["dig"] }]));
    const mine = shop.worktree("mine");
    shop.take(mine);
    ok(shop.work("heartbeat", mine, "step-0"));
    ok(shop.work("update", mine, "step-0", "--task", "1", "completed"));
    ok(shop.work("artifact", mine, "step-0", "--kind", "auditor_summary", "--summary", "ok"));
    ok(shop.work("complete", mine, "step-0"));
    ok(operate(shop, "reopen", "step-0", "--reason", "again"));
    ok(operate(shop, "hold", "step-0", "--reason", "rain"));
    ok(operate(shop, "retry", "step-0"));
    ok(shop.claim(mine));
    ok(operate(shop, "reset", "step-0", "--reason", "stuck"));

    const events = eventsOf(shop, PLAN);

    expect(events.map((event) => event["event"])).toEqual([
      ...words("saved claimed started items-updated artifact-recorded completed reopened"),
      ...words("held retried claimed reset"),
    ]);
    const ids = events.map((event) => event["id"] as number);
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
    expect(events[1]).toMatchObject({
      plan_path: PLAN,
      anchor: "step-0",
      claim: 1,
      worktree: mine,
      session_id: null,
    });
    expect(events[3]).toMatchObject({ detail: { items: ["task 1 completed"] } });
    expect(events[6]).toMatchObject({ detail: { reason: "again" } });
    expect(events[10]).toMatchObject({ detail: { reason: "stuck", was_claimed_by: mine } });
    for (const event of events) expect(event["at"]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  it("filters by plan and step, and pages by --last and --after", () => {
    const shop = workshop(flatPlan(3));
    shop.repository.write("second.md", flatPlan(1));
    ok(shop.json("state", "init", "second.md"));
    for (const step of ["step-1", "step-2", "step-3"]) ok(operate(shop, "hold", step));

    expect(eventsOf(shop).map((event) => event["plan_path"])).toEqual([PLAN, "second.md", PLAN, PLAN, PLAN]);
    expect(eventsOf(shop, "second.md")).toHaveLength(1);
    expect(eventsOf(shop, PLAN, "--step", "#step-2")).toMatchObject([{ event: "held", anchor: "step-2" }]);
    expect(eventsOf(shop, "--last", "2").map((event) => event["anchor"])).toEqual(["step-2", "step-3"]);
    const [, , third] = eventsOf(shop);
    expect(eventsOf(shop, "--after", String(third?.["id"])).map((event) => event["anchor"])).toEqual([
      "step-2",
      "step-3",
    ]);
  });

  it.each(["delete from events", "update events set event = 'nothing'"])(
    "refuses to lose a line to: %s",
    (sql) => {
      const shop = workshop(flatPlan(1));
      const before = eventsOf(shop);
      expect(() => withDatabase(shop.database, (connection) => connection.exec(sql))).toThrow(/append-only/);
      expect(eventsOf(shop)).toEqual(before);
    },
  );
});

describe("state list", () => {
  it("shows how far each plan is, what is held and whose file is gone", () => {
    const shop = workshop(flatPlan(3));
    shop.repository.write("plans/second.md", flatPlan(1));
    ok(shop.json("state", "init", "plans/second.md"));
    shop.finish(shop.home, "step-1");
    ok(shop.claim(shop.home));
    rmSync(join(shop.home, "plans/second.md"));

    expect(ok(shop.json("state", "list"))["plans"]).toMatchObject([
      {
        plan_path: PLAN,
        status: "active",
        steps_total: 3,
        steps_completed: 1,
        steps_held: 1,
        file_missing: false,
      },
      { plan_path: "plans/second.md", steps_total: 1, steps_completed: 0, steps_held: 0, file_missing: true },
    ]);
    const { stdout } = shop.text("state", "list");
    expect(stdout).toBe(
      [
        "plan.md          [###-------] 1/3  1 held",
        "plans/second.md  [----------] 0/1  file missing",
        "",
      ].join("\n"),
    );
  });

  it("does not call a plan missing that another worktree still has", () => {
    const shop = workshop(flatPlan(1));
    const mine = shop.worktree("mine");
    renameSync(join(shop.home, PLAN), join(mine, PLAN));
    expect(ok(shop.json("state", "list"))["plans"]).toMatchObject([{ plan_path: PLAN, file_missing: false }]);
  });
});

describe("state prune", () => {
  it("removes the state of a plan whose file is gone, saves it first, and restore brings it back", () => {
    const shop = workshop();
    shop.repository.write("second.md", flatPlan(1));
    ok(shop.json("state", "init", "second.md"));
    const mine = shop.worktree("mine");
    shop.finish(mine, "step-0");
    const before = shop.plan();
    renameSync(join(shop.home, PLAN), join(shop.home, "..", "moved.md"));

    const dry = ok(shop.json("state", "prune", "--dry-run"));
    expect(dry).toMatchObject({ dry_run: true, pruned: [{ plan_path: PLAN, saved_to: null }], in_use: [] });
    expect(shop.plan()).toEqual(before);

    const { pruned } = ok(shop.json("state", "prune"));
    expect(pruned).toEqual([{ plan_path: PLAN, saved_to: expect.any(String) }]);
    const [{ saved_to: saved }] = pruned;
    expect(existsSync(saved)).toBe(true);
    expect((ok(shop.json("state", "list"))["plans"] as Data[]).map((plan) => plan["plan_path"])).toEqual([
      "second.md",
    ]);
    refused(shop.json("state", "show", PLAN), "E054", 2);
    expect(eventsOf(shop, PLAN).map((event) => event["event"])).toContain("completed");
    expect(ailments(ok(shop.json("doctor")))).toEqual([]);

    renameSync(join(shop.home, "..", "moved.md"), join(shop.home, PLAN));
    ok(shop.json("state", "restore", saved));
    const { steps: _steps, updated_at: _updatedAt, ...unchanged } = before;
    expect(shop.plan()).toMatchObject(unchanged);
    expect((shop.plan()["steps"] as Data[]).map((step) => [step["status"], step["items"]])).toEqual(
      (before["steps"] as Data[]).map((step) => [step["status"], step["items"]]),
    );
    expect(ok(shop.claim(mine))["anchor"]).toBe("step-1");
  });

  it("leaves a plan alone while a worker holds a step of it", () => {
    const shop = workshop(flatPlan(1));
    ok(shop.claim(shop.worktree("mine")));
    rmSync(join(shop.home, PLAN));
    const before = worldOf(shop.repository);
    expect(ok(shop.json("state", "prune"))).toMatchObject({ pruned: [], in_use: [PLAN] });
    expect(worldOf(shop.repository)).toEqual(before);
  });

  it("has nothing to do while every plan has its file", () => {
    const shop = workshop();
    expect(ok(shop.json("state", "prune"))).toMatchObject({ pruned: [], in_use: [] });
    expect(shop.text("state", "prune").stdout).toBe("Nothing to prune: every plan has its file.\n");
  });
});

describe("explain", () => {
  const explained = (shop: Workshop, anchor: string): Data =>
    (ok(shop.json("explain", PLAN, anchor))["steps"] as Data[])[0]!;

  it.each<[string, (shop: Workshop) => void, string, RegExp, RegExp]>([
    [
      "free",
      () => undefined,
      "step-0",
      /^It is ready; no worker has claimed it yet\.$/,
      /next claim may get it/,
    ],
    ["blocked", () => undefined, "step-1", /^It waits for step-0\.$/, /becomes ready when/],
    [
      "held",
      (shop) => void shop.take("."),
      "step-0",
      /(?:has claimed|is working on) it \(claim 1\); its lease runs until \S+Z unless it is renewed\.$/,
      /lease runs out/,
    ],
    [
      "on hold",
      (shop) => void ok(operate(shop, "hold", "step-0", "--reason", "rain")),
      "step-0",
      /on hold: rain\.$/,
      /until a person retries/,
    ],
    [
      "completed",
      (shop) => shop.finish(".", "step-0"),
      "step-0",
      /^The worker that held it completed it\.$/,
      /stay completed/,
    ],
    [
      "completed by force",
      (shop) => {
        shop.take(".");
        ok(shop.work("complete", ".", "step-0", "--force", "no time"));
      },
      "step-0",
      /^It was completed by force: no time\.$/,
      /stay completed/,
    ],
    [
      "imported",
      (shop) => {
        const row = { plan_path: PLAN, anchor: "step-0", step_index: 0, title: "Lay the ground" };
        const times = { created_at: "2026-01-01T00:00:00Z", updated_at: "2026-01-01T00:00:00Z" };
        makeVersion1(join(shop.home, ".tugtool/state.db"), {
          plans: [{ plan_path: PLAN, plan_hash: "x", ...times }],
          steps: [{ ...row, status: "completed" }],
        });
        ok(shop.json("state", "init", PLAN, "--import"));
        expect(shop.text("state", "show", PLAN).stdout).not.toContain("forced");
        expect(explained(shop, "step-0")["verification"]).toMatchObject({ outcome: "not_verified" });
      },
      "step-0",
      /^It was completed in Tugstate\.$/,
      /stay completed/,
    ],
    [
      "proved by a commit",
      (shop) => {
        shop.repository.git(
          "commit",
          "-q",
          "--allow-empty",
          "-m",
          `x\n\nPawl-Step: step-0\nPawl-Plan: ${PLAN}`,
        );
        ok(shop.json("state", "reconcile", PLAN, "--trust-unsigned"));
      },
      "step-0",
      /^A commit proves that it was done\.$/,
      /stay completed/,
    ],
    [
      "reopened",
      (shop) => {
        shop.finish(".", "step-0");
        ok(operate(shop, "reopen", "step-0", "--reason", "it leaks"));
      },
      "step-0",
      /^It was reopened: it leaks\.$/,
      /next claim may get it/,
    ],
  ])("says why a step is %s and what happens next", (_, prepare, anchor, because, next) => {
    const shop = workshop();
    prepare(shop);
    const step = explained(shop, anchor);
    expect(step["because"]).toMatch(because);
    expect(step["next"]).toMatch(next);
    const { code, stdout } = shop.text("explain", PLAN, anchor);
    expect(code).toBe(0);
    // By the reader's clock, and a lease by what is left of it; the envelope has instants.
    const [words = ""] = localTimes(String(step["because"])).split(" until ");
    expect(stdout.replaceAll(/\s+/g, " ")).toContain(words);
  });

  it.each<[string, (shop: Workshop) => void, string, string, string]>([
    [
      "ready",
      (shop) => shop.finish(".", "step-0"),
      "It is part of step-1, which is ready; no worker has claimed that yet.",
      "The claim of step-1 takes it along.",
      "hold plan.md step-1-1",
    ],
    [
      "waiting",
      () => undefined,
      "It is part of step-1, which waits for step-0.",
      "It becomes ready with step-1.",
      "hold plan.md step-1-1",
    ],
    [
      "on hold for another substep",
      (shop) => void ok(operate(shop, "hold", "step-1-2", "--reason", "rain")),
      "It is part of step-1, which is on hold: its substep step-1-2 is on hold: rain.",
      "Nothing until a person retries step-1.",
      "retry plan.md step-1",
    ],
  ])("says of a substep why its step is %s", (_, prepare, because, next, option) => {
    const shop = workshop();
    prepare(shop);
    expect(explained(shop, "step-1-1")).toMatchObject({
      because,
      next,
      options: [`pawl state ${option}`],
    });
  });

  it("has no instants for people, in the journal neither", () => {
    const shop = workshop();
    shop.take(".");
    for (const words of [
      ["explain", PLAN, "step-0"],
      ["state", "events"],
    ]) {
      const { stdout } = shop.text(...words);
      expect(stdout).toMatch(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}/);
      expect(stdout).not.toMatch(/\dT\d\d:/);
    }
  });

  it("says that an owner is gone when its lease is over", async () => {
    const shop = workshop(flatPlan(1));
    ok(shop.claim(shop.worktree("mine"), "--lease-duration", "1"));
    await until(() => explained(shop, "step-1")["because"].endsWith(" is gone."), "the lease is over");
    expect(explained(shop, "step-1")["next"]).toBe("The next claim takes it over.");
  });

  it("gives the evidence with its instants, the journal, and the verbs that the step allows", () => {
    const shop = workshop();
    const mine = shop.worktree("mine");
    shop.take(mine, "step-0");
    ok(shop.work("update", mine, "step-0", "--task", "1", "completed"));
    const step = explained(shop, "step-0");
    expect(step["evidence"]).toEqual([
      { at: expect.any(String), fact: `claimed by ${mine}` },
      { at: expect.any(String), fact: "started" },
      { at: expect.any(String), fact: "1 of 4 items completed" },
    ]);
    expect((step["events"] as Data[]).map((event) => event["event"])).toEqual([
      "claimed",
      "started",
      "items-updated",
    ]);
    expect(step["options"]).toContain(`pawl state complete ${PLAN} step-0 --worktree ${mine}`);
    expect(step["options"]).not.toContain(`pawl state start ${PLAN} step-0 --worktree ${mine}`);
  });

  it("explains every open step when none is named, and none when all is done", () => {
    const shop = workshop(flatPlan(2));
    const all = () => (ok(shop.json("explain", PLAN))["steps"] as Data[]).map((step) => step["anchor"]);
    expect(all()).toEqual(["step-1", "step-2"]);
    shop.finish(".", "step-1");
    expect(all()).toEqual(["step-2"]);
    shop.finish(".", "step-2");
    expect(shop.text("explain", PLAN).stdout).toBe("All steps are completed.\n");
  });
});
