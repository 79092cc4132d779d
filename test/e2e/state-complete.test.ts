import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { pawlAsync } from "../support/cli.ts";
import { flatPlan, planText, SMALL_PLAN } from "../support/plans.ts";
import { type Data, ok, PLAN, refused, workshop } from "../support/workshop.ts";
import { query } from "../support/world.ts";

/** One step with one item of each kind. */
const ONE_STEP = planText([
  { number: "0", tasks: ["dig"], tests: ["is it flat"], checkpoints: ["inspected"] },
]);

const anchors = (list: unknown): readonly string[] => (list as Data[]).map((one) => one["anchor"] as string);

describe("state update", () => {
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

  it("is about the text that the step was claimed with, also where the plan was edited or is gone", () => {
    const shop = workshop();
    const mine = shop.worktree("mine");
    shop.take(mine);
    shop.repository.write(PLAN, SMALL_PLAN.replace("- [ ] level", "- [ ] level\n- [ ] measure"));
    ok(shop.work("update", mine, "step-0", "--task", "1", "completed"));
    rmSync(join(shop.home, PLAN));
    ok(shop.work("update", mine, "step-0", "--all", "completed"));
    expect(ok(shop.work("complete", mine, "step-0"))["completed"]).toBe(true);
  });
});

describe("state artifact", () => {
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

describe("state complete", () => {
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

describe("a worker that finishes", () => {
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
