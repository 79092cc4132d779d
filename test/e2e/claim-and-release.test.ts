import { spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { openPawl } from "../../src/index.ts";
import { planText } from "../support/plans.ts";
import { cleanEnv } from "../support/repository.ts";
import { ok, PLAN, refused, type Workshop, workshop, words } from "../support/workshop.ts";
import { until } from "../support/until.ts";

/** Two free steps with a checklist each, and one that waits for the first. */
const TWO_FREE = planText([
  { number: "0", tasks: ["dig", "level"], tests: ["is it flat"] },
  { number: "1", tasks: ["fetch water"] },
  { number: "2", dependsOn: ["step-0"] },
]);

describe("a worktree that claims again", () => {
  it("gives a step that was claimed and never heartbeated back to the same worktree at once", () => {
    const shop = workshop();
    const mine = shop.worktree("mine");
    const first = ok(shop.claim(mine));
    ok(shop.work("start", mine, "step-0"));

    const again = ok(shop.claim(mine));

    expect(again).toMatchObject({ claimed: true, anchor: "step-0", reclaimed: true, displaced: null });
    expect(again["claim"]).toBe((first["claim"] as number) + 1);
    expect(shop.step("step-0")).toMatchObject({ status: "claimed", claimed_by: mine, started_at: null });
  });

  it("refreshes the lease with the duration of the new claim", () => {
    const shop = workshop();
    const mine = shop.worktree("mine");
    const first = ok(shop.claim(mine, "--lease-duration", "60"));
    const again = ok(shop.claim(mine, "--lease-duration", "7200"));

    const gained =
      Date.parse(again["lease_expires"] as string) - Date.parse(first["lease_expires"] as string);
    expect(gained).toBeGreaterThanOrEqual(7_140_000);
  });

  it("returns the step a worktree holds before an earlier one that is free", () => {
    const shop = workshop(TWO_FREE);
    const mine = shop.worktree("mine");
    ok(shop.claim(mine, "--step", "step-1"));

    expect(ok(shop.claim(mine))).toMatchObject({ anchor: "step-1", reclaimed: true });
    expect(shop.step("step-0")["status"]).toBe("pending");
  });

  it("does not give the step to another worktree while its lease runs", () => {
    const shop = workshop();
    ok(shop.claim(shop.worktree("mine")));

    const answer = shop.claim(shop.worktree("other"));

    expect(answer).toMatchObject({ code: 6, status: "ok", data: { claimed: false, anchor: null } });
    expect(answer.data["waiting"]).toMatchObject([
      { anchor: "step-0", reason: "held", blocked_by: [] },
      { anchor: "step-1", reason: "dependencies", blocked_by: ["step-0"] },
      { anchor: "step-2", reason: "dependencies", blocked_by: ["step-1"] },
    ]);
  });

  it("refuses the same worktree while a living session holds the step there", async () => {
    const shop = workshop();
    const mine = shop.worktree("mine");
    const pawl = await openPawl({ cwd: shop.home, env: cleanEnv() });
    onTestFinished(() => pawl.close());
    const session = await pawl.openSession({ plan: PLAN, worktree: mine });
    await pawl.claim({ plan: PLAN, worktree: mine, session: session.id });

    const issue = refused(shop.claim(mine), "E075", 4);
    expect(issue.details).toMatchObject({ session_id: session.id, pid: process.pid, claim: 1 });

    await session.end("completed");
    expect(ok(shop.claim(mine))).toMatchObject({ anchor: "step-0", reclaimed: true, claim: 2 });
  });

  it("refuses a session that is not known here, because its claim would be free for everybody at once", () => {
    const shop = workshop();
    const env = { PAWL_SESSION: "s-elsewhere" };
    refused(shop.jsonWith({ env }, "state", "claim", PLAN, "--worktree", "."), "E093", 4);
    expect(shop.step("step-0")).toMatchObject({ status: "pending", claim: 0 });
  });

  it("gives the step to any worker as soon as the session that held it was killed", async () => {
    const shop = workshop();
    const holder = shop.worktree("holder");
    const child = spawn(process.execPath, ["-e", HOLD_A_STEP, shop.home, holder], {
      env: cleanEnv({ LIBRARY: fileURLToPath(new URL("../../dist/index.js", import.meta.url)) }),
      stdio: ["ignore", "pipe", "inherit"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    await once(child.stdout, "data");
    expect(shop.claim(shop.worktree("early"))).toMatchObject({ code: 6, data: { claimed: false } });

    child.kill("SIGKILL");
    await once(child, "exit");

    expect(ok(shop.claim(shop.worktree("late")))).toMatchObject({
      anchor: "step-0",
      reclaimed: true,
      displaced: { worktree: holder, claim: 1 },
    });
    const events = ok(shop.json("state", "events"))["events"] as { event: string }[];
    expect(events.map(({ event }) => event)).toContain("session-interrupted");
  });
});

const HOLD_A_STEP = `
  const [home, worktree] = process.argv.slice(1);
  import(process.env.LIBRARY).then(async ({ openPawl }) => {
    const pawl = await openPawl({ cwd: home });
    const session = await pawl.openSession({ plan: "plan.md", worktree });
    await pawl.claim({ plan: "plan.md", worktree, session: session.id });
    console.log("held");
    setInterval(() => session.id, 60000);
  });
`;

describe("state release", () => {
  it("lets another worktree claim a step that was released", () => {
    const shop = workshop();
    const mine = shop.worktree("mine");
    ok(shop.claim(mine));

    expect(ok(shop.work("release", mine, "step-0"))).toMatchObject({
      plan_path: PLAN,
      anchor: "step-0",
      released: true,
      was_claimed_by: mine,
    });
    expect(ok(shop.claim(shop.worktree("other")))).toMatchObject({ anchor: "step-0", reclaimed: false });
  });

  it("clears every field of the claim", () => {
    const shop = workshop();
    const mine = shop.worktree("mine");
    shop.take(mine);
    ok(shop.work("heartbeat", mine, "step-0"));

    ok(shop.work("release", mine, "step-0"));

    expect(shop.step("step-0")).toMatchObject({
      status: "pending",
      claimed_by: null,
      claimed_at: null,
      lease_expires_at: null,
      started_at: null,
    });
  });

  it("refuses a worktree that does not hold the step", () => {
    const shop = workshop();
    const mine = shop.worktree("mine");
    ok(shop.claim(mine));

    const issue = refused(shop.work("release", shop.worktree("other"), "step-0"), "E049", 4);
    expect(issue.details).toMatchObject({ held_by: mine });
    expect(shop.step("step-0")).toMatchObject({ status: "claimed", claimed_by: mine });
  });

  it("resets unfinished substeps and what was begun on them, and keeps finished ones", () => {
    const shop = workshop();
    const mine = shop.worktree("mine");
    shop.finish(mine, "step-0");
    shop.take(mine, "step-1");
    ok(shop.work("update", mine, "step-1-1", "--all", "completed"));
    ok(shop.work("complete", mine, "step-1-1"));
    ok(shop.work("start", mine, "step-1-2"));
    ok(shop.work("update", mine, "step-1-2", "--task", "1", "in_progress"));

    ok(shop.work("release", mine, "step-1"));

    expect(shop.step("step-1-1")).toMatchObject({ status: "completed" });
    expect(shop.items("step-1-1")).toEqual(["task 1: completed", "task 2: completed"]);
    expect(shop.step("step-1-2")).toMatchObject({
      status: "pending",
      claimed_by: null,
      lease_expires_at: null,
    });
    expect(shop.items("step-1-2")).toEqual(["task 1: open"]);
  });

  it("refuses to release a completed step, by its owner and by force", () => {
    const shop = workshop();
    const mine = shop.worktree("mine");
    shop.finish(mine, "step-0");

    refused(shop.work("release", mine, "step-0"), "E050", 4);
    refused(shop.json("state", "release", PLAN, "step-0", "--force"), "E050", 4);
    expect(shop.step("step-0")["status"]).toBe("completed");
  });

  it("releases by force when the worktree that held the step is gone", () => {
    const shop = workshop();
    const gone = shop.worktree("gone");
    ok(shop.claim(gone));
    rmSync(gone, { recursive: true });
    refused(shop.work("release", gone, "step-0"), "E064", 2);

    const answer = ok(shop.json("state", "release", PLAN, "step-0", "--force", "--reason", "machine sold"));

    expect(answer).toMatchObject({ released: true, was_claimed_by: gone });
    const [last] = ok(shop.json("state", "events", PLAN, "--last", "1"))["events"];
    expect(last).toMatchObject({ event: "released", detail: { forced: true, reason: "machine sold" } });
  });

  it.each([
    ["neither --worktree nor --force", [], "E066"],
    ["both --worktree and --force", ["--worktree", ".", "--force"], "E066"],
  ])("refuses %s", (_, more, code) => {
    const shop = workshop();
    ok(shop.claim("."));
    refused(shop.json("state", "release", PLAN, "step-0", ...more), code, 2);
    expect(shop.step("step-0")["status"]).toBe("claimed");
  });
});

describe("state claim --force", () => {
  it("takes a step with a running lease from another worktree and says from whom", () => {
    const shop = workshop();
    const mine = shop.worktree("mine");
    const other = shop.worktree("other");
    ok(shop.claim(mine));

    expect(ok(shop.claim(other, "--force"))).toMatchObject({
      claimed: true,
      anchor: "step-0",
      claim: 2,
      reclaimed: true,
      displaced: { worktree: mine, claim: 1 },
    });
    expect(shop.step("step-0")).toMatchObject({ claimed_by: other, claim: 2 });
    const [last] = ok(shop.json("state", "events", PLAN, "--last", "1"))["events"];
    expect(last).toMatchObject({
      event: "reclaimed",
      worktree: other,
      detail: { forced: true, displaced: { worktree: mine, claim: 1 } },
    });
  });

  it("respects the order of dependencies, also for a step that is named", () => {
    const shop = workshop();
    ok(shop.claim(shop.worktree("mine")));
    const other = shop.worktree("other");

    const named = shop.claim(other, "--force", "--step", "step-1");
    expect(named).toMatchObject({ code: 6, data: { claimed: false } });
    expect(ok(shop.claim(other, "--force"))).toMatchObject({ anchor: "step-0" });
    expect(shop.step("step-1")["status"]).toBe("pending");
  });

  it("prefers a free step to one that a worker holds", () => {
    const shop = workshop(TWO_FREE);
    const mine = shop.worktree("mine");
    ok(shop.claim(mine));

    expect(ok(shop.claim(shop.worktree("other"), "--force"))).toMatchObject({
      anchor: "step-1",
      reclaimed: false,
      displaced: null,
    });
    expect(shop.step("step-0")).toMatchObject({ claimed_by: mine, claim: 1 });
  });

  it("finds nothing to take when every step is completed", () => {
    const shop = workshop(planText([{ number: "0" }]));
    const mine = shop.worktree("mine");
    shop.finish(mine, "step-0");

    expect(ok(shop.claim(mine, "--force"))).toMatchObject({
      claimed: false,
      all_completed: true,
      waiting: [],
    });
  });
});

describe("the checklist of a step that is claimed again", () => {
  /** One task done, one begun, the test deferred. */
  const tick = (shop: Workshop, worktree: string) =>
    ok(
      shop.work(
        "update",
        worktree,
        "step-0",
        ...words("--task 1 completed --task 2 in_progress --test 1 deferred --reason rain"),
      ),
    );

  it("clears every item when another worktree takes over, because the work is not there", () => {
    const shop = workshop(TWO_FREE);
    const mine = shop.worktree("mine");
    shop.take(mine, "step-0");
    tick(shop, mine);

    ok(shop.claim(shop.worktree("other"), "--force", "--step", "step-0"));

    expect(shop.items("step-0")).toEqual(["task 1: open", "task 2: open", "test 1: open"]);
  });

  it("keeps what is finished and reopens the rest when the same worktree claims again", () => {
    const shop = workshop(TWO_FREE);
    const mine = shop.worktree("mine");
    shop.take(mine, "step-0");
    tick(shop, mine);

    ok(shop.claim(mine));

    expect(shop.items("step-0")).toEqual(["task 1: completed", "task 2: open", "test 1: open"]);
  });

  it.each([
    ["the worktree that earned the ticks", "mine", "task 1: completed"],
    ["any other worktree", "other", "task 1: open"],
  ])("remembers over a release whose ticks they were: %s", (_, claimant, first) => {
    const shop = workshop(TWO_FREE);
    const trees = { mine: shop.worktree("mine"), other: shop.worktree("other") };
    shop.take(trees.mine, "step-0");
    tick(shop, trees.mine);
    ok(shop.work("release", trees.mine, "step-0"));

    ok(shop.claim(trees[claimant as "mine" | "other"]));

    expect(shop.items("step-0")).toEqual([first, "task 2: open", "test 1: open"]);
  });

  it("clears ticks when the lease ran out and another worktree came", async () => {
    const shop = workshop(planText([{ number: "0", tasks: ["dig", "level"], tests: ["is it flat"] }]));
    const mine = shop.worktree("mine");
    ok(shop.claim(mine, "--lease-duration", "1"));
    tick(shop, mine);
    const other = shop.worktree("other");

    await until(() => shop.claim(other).data["claimed"] === true, "the lease is over");

    expect(shop.step("step-0")).toMatchObject({ claimed_by: other, claim: 2 });
    expect(shop.items("step-0")).toEqual(["task 1: open", "task 2: open", "test 1: open"]);
  });
});
