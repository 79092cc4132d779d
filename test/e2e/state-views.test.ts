import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { planText } from "../support/plans.ts";
import { ailments, type Data, ok, PLAN, refused, type Workshop, workshop } from "../support/workshop.ts";
import { until } from "../support/until.ts";
import { query } from "../support/world.ts";

/** One step with one item of each kind. */
const ONE_STEP = planText([
  { number: "0", tasks: ["dig"], tests: ["is it flat"], checkpoints: ["inspected"] },
]);

const anchors = (list: unknown): readonly string[] => (list as Data[]).map((one) => one["anchor"] as string);

describe("state show", () => {
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
    ok(shop.work("complete", shop.home, "step-0", "--force", "no reviewer has time"));
    expect(shop.step("step-0")["complete_reason"]).toBe("no reviewer has time");
    expect(shop.text("state", "show", PLAN).stdout).toContain("forced: no reviewer has time");
    const [last] = ok(shop.json("state", "events", PLAN, "--last", "1"))["events"] as Data[];
    expect(last?.["detail"]).toMatchObject({ forced: "no reviewer has time", open_items: 4 });
  });

  it("changes nothing and asks for no ownership, and neither does state ready", () => {
    const shop = workshop();
    shop.take(shop.home);
    const all = () =>
      ["plans", "steps", "checklist_items", "events", "sessions"].map((table) =>
        query(shop.database, `select * from ${table}`),
      );
    const before = all();
    const other = shop.worktree("other");
    for (const words of [["show"], ["show", PLAN], ["ready", PLAN]])
      ok(shop.jsonWith({ cwd: other }, "state", ...words));
    expect(all()).toEqual(before);
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

describe("state ready", () => {
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

describe("state reset", () => {
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

describe("state reconcile", () => {
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

describe("a person who looks and repairs", () => {
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

describe("what the doctor says of the database", () => {
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
