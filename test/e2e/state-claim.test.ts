import { describe, expect, it } from "vitest";
import { flatPlan, SMALL_PLAN } from "../support/plans.ts";
import { type Data, ok, PLAN, refused, workshop } from "../support/workshop.ts";
import { until } from "../support/until.ts";
import { query } from "../support/world.ts";

const anchors = (list: unknown): readonly string[] => (list as Data[]).map((one) => one["anchor"] as string);

describe("state claim", () => {
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

  it("holds for two hours unless --lease says otherwise", () => {
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

  it("takes over an edit of a step that has not started, and says so", () => {
    const shop = workshop();
    shop.repository.write(PLAN, SMALL_PLAN.replace("dig", "dig deeper"));
    const answer = shop.claim(shop.worktree("mine"));
    expect(ok(answer)["anchor"]).toBe("step-0");
    expect(answer.issues).toMatchObject([{ code: "W005", message: `${PLAN} changed: edited step-0.` }]);
    expect(ok(answer)["notes"]).toEqual([`${PLAN} changed: edited step-0.`]);
  });
});

describe("state start", () => {
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

describe("state heartbeat", () => {
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
    // Uptime has a resolution of 10 ms, and the end is shown by the wall clock.
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

describe("a worker that begins", () => {
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
