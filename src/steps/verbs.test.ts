import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { outcomeOf } from "../../test/conformance/store.ts";
import { embeddedWorld, type EmbeddedWorld } from "../../test/support/embedded-world.ts";
import type { StepSpec } from "../../test/support/plans.ts";
import { complete, type CompleteAnswer } from "./complete.ts";
import { heartbeat } from "./heartbeat.ts";
import { hold, reset, retry } from "./operate.ts";
import { release } from "./release.ts";
import { reopen } from "./reopen.ts";
import { start } from "./start.ts";
import { type ItemChange, update } from "./update.ts";

let world: EmbeddedWorld;
beforeAll(async () => {
  world = await embeddedWorld();
});
afterAll(() => world.close());

/** A plan whose first step a worktree holds. */
async function held(path: string, ...steps: StepSpec[]) {
  const plan = await world.saved(...(steps.length === 0 ? [{ number: "1", tasks: ["a", "b"] }] : steps));
  const { anchor, claim } = await world.pawl.claim({ plan, worktree: path });
  return { plan, step: anchor!, caller: world.caller(path, { claim: claim! }) };
}

async function heldBySession(path: string) {
  const plan = await world.saved({ number: "1" });
  const { id } = await world.pawl.openSession({ plan, worktree: path });
  const { claim } = await world.pawl.claim({ plan, worktree: path, session: id });
  return { plan, step: "step-1", session: id, caller: world.caller(path, { claim: claim!, session: id }) };
}

const statusOf = async ({ plan, step }: { plan: string; step: string }) =>
  (await world.step(plan, step)).status;

describe("start", () => {
  it("begins the work of the owner, once, and of no other worker", async () => {
    const mine = await held("/a");
    expect(await outcomeOf(start(world.ports, { ...mine, caller: world.caller("/b") }))).toBe("E049");
    await start(world.ports, mine);
    expect(await statusOf(mine)).toBe("in_progress");
    expect(await outcomeOf(start(world.ports, mine))).not.toBe("ok");
  });

  it("takes a substep that was reset while its step is held", async () => {
    const mine = await held("/a", { number: "1" }, { number: "1.1" });
    await reset(world.ports, { plan: mine.plan, step: "step-1-1" });
    expect(await statusOf({ ...mine, step: "step-1-1" })).toBe("pending");
    expect(
      await outcomeOf(start(world.ports, { ...mine, step: "step-1-1", caller: world.caller("/b") })),
    ).not.toBe("ok");
    await start(world.ports, { ...mine, step: "step-1-1" });
    expect(await world.step(mine.plan, "step-1-1")).toMatchObject({
      status: "in_progress",
      claimed_by: "/a",
    });
  });
});

describe("heartbeat", () => {
  const beat = (mine: Awaited<ReturnType<typeof held>>, leaseSeconds: number) =>
    heartbeat(world.ports, { ...mine, leaseSeconds });

  it("renews the lease of a step and of its substeps, and never shortens it", async () => {
    const mine = await held("/a", { number: "1" }, { number: "1.1" });
    expect((await beat(mine, 90_000)).leaseKept).toBe(false);
    const [step, substep] = [await world.step(mine.plan, "step-1"), await world.step(mine.plan, "step-1-1")];
    expect(step.lease_uptime_ms).toBe(world.clock.uptime + 90_000_000);
    expect(substep.lease_uptime_ms).toBe(step.lease_uptime_ms);
    expect((await beat(mine, 60)).leaseKept).toBe(true);
    expect((await world.step(mine.plan, "step-1")).lease_uptime_ms).toBe(step.lease_uptime_ms);
  });

  it("counts anew after the machine started anew, where the uptime is small again", async () => {
    const mine = await held("/a");
    await beat(mine, 90_000);
    await world.set(mine.plan, "step-1", "lease_boot_id = 'an earlier boot'");
    await beat(mine, 60);
    expect(await world.step(mine.plan, "step-1")).toMatchObject({
      lease_boot_id: world.machine.bootId,
      lease_uptime_ms: world.clock.uptime + 60_000,
    });
  });

  it("says in the journal that a lease was over, and only then", async () => {
    const mine = await held("/a");
    await beat(mine, 60);
    world.clock.uptime += 86_400_000;
    await beat(mine, 60);
    const lines = (await world.pawl.events({ plan: mine.plan })).map(({ event }) => event);
    expect(lines.filter((event) => event === "lease-revived")).toHaveLength(1);
  });
});

describe("update", () => {
  it("ticks items by number, by words and all together, and changes nothing when one is wrong", async () => {
    const mine = await held("/a", { number: "1", tasks: ["dig", "level"], tests: ["is it flat"] });
    await update(world.ports, {
      ...mine,
      changes: [
        { kind: "task", ordinal: 1, status: "completed" },
        { match: "FLAT", status: "in_progress" },
      ],
    });
    expect(await world.items(mine.plan, "step-1")).toEqual(["completed", "open", "in_progress"]);
    const wrong = [
      { all: true as const, status: "completed" },
      { kind: "task" as const, ordinal: 3, status: "open" },
    ];
    expect(await outcomeOf(update(world.ports, { ...mine, changes: wrong }))).not.toBe("ok");
    expect(await world.items(mine.plan, "step-1")).toEqual(["completed", "open", "in_progress"]);
    await update(world.ports, { ...mine, changes: [{ kind: "task", all: true, status: "completed" }] });
    expect(await world.items(mine.plan, "step-1")).toEqual(["completed", "completed", "in_progress"]);
  });

  it("defers an item only for a reason, and for the owner only", async () => {
    const mine = await held("/a");
    const changes = [{ kind: "task" as const, ordinal: 1, status: "deferred" }];
    expect(await outcomeOf(update(world.ports, { ...mine, changes }))).not.toBe("ok");
    expect(
      await outcomeOf(update(world.ports, { ...mine, changes, reason: "rain", caller: world.caller("/b") })),
    ).toBe("E049");
    await update(world.ports, { ...mine, changes, reason: "rain" });
    expect(await world.items(mine.plan, "step-1")).toEqual(["deferred", "open"]);
  });
});

describe("a substep without items", () => {
  const done = (mine: Awaited<ReturnType<typeof held>>, step: string, changes: readonly ItemChange[]) =>
    update(world.ports, { ...mine, step, changes });
  const ALL = [{ all: true as const, status: "completed" }];
  const one = (status: string) => [{ kind: "task" as const, ordinal: 1, status }];
  const ONE = one("completed");

  it.each([
    ["by number", ONE],
    ["by its title", [{ match: "step 1.1", status: "completed" }]],
  ])("is completed where it is ticked %s, and a second time changes nothing", async (_, changes) => {
    const mine = await held("/a", { number: "1", title: "Step 1" }, { number: "1.1", title: "Step 1.1" });
    await start(world.ports, mine);
    expect(await outcomeOf(complete(world.ports, mine))).toBe("E052");
    expect((await done(mine, "step-1-1", changes)).itemsUpdated).toBe(1);
    expect(await statusOf({ ...mine, step: "step-1-1" })).toBe("completed");
    await done(mine, "step-1-1", changes);
    expect((await complete(world.ports, mine)).completed).toBe(true);
  });

  it("is ticked by the owner of its step alone, and neither deferred nor opened again", async () => {
    const mine = await held("/a", { number: "1" }, { number: "1.1" });
    await start(world.ports, mine);
    expect(await outcomeOf(done({ ...mine, caller: world.caller("/b") }, "step-1-1", ONE))).toBe("E049");
    const deferred = { ...mine, step: "step-1-1", changes: one("deferred") };
    expect(await outcomeOf(update(world.ports, { ...deferred, reason: "rain" }))).toBe("E062");
    await done(mine, "step-1-1", one("in_progress"));
    expect(await statusOf({ ...mine, step: "step-1-1" })).toBe("in_progress");
    await done(mine, "step-1-1", ONE);
    expect(await outcomeOf(done({ ...mine, caller: world.caller("/b") }, "step-1-1", ONE))).toBe("E049");
    expect(await outcomeOf(done(mine, "step-1-1", one("open")))).not.toBe("ok");
    expect(await statusOf({ ...mine, step: "step-1-1" })).toBe("completed");
  });

  it("waits for the substeps before it: for their ticks, and not for a word more", async () => {
    const mine = await held(
      "/a",
      { number: "1" },
      { number: "1.1", tasks: ["dig"] },
      { number: "1.2", dependsOn: ["step-1-1"] },
    );
    await start(world.ports, mine);
    expect(await outcomeOf(done(mine, "step-1-2", ONE))).toBe("E079");
    await done(mine, "step-1-1", ALL);
    expect(await statusOf({ ...mine, step: "step-1-1" })).not.toBe("completed");
    await done(mine, "step-1-2", ONE);
    expect(await statusOf({ ...mine, step: "step-1-1" })).toBe("completed");
    expect(await statusOf({ ...mine, step: "step-1-2" })).toBe("completed");
  });

  it("has no items for a call that is about all of them, and is completed by its own call then", async () => {
    const mine = await held("/a", { number: "1" }, { number: "1.1" });
    await start(world.ports, mine);
    expect((await done(mine, "step-1-1", ALL)).itemsUpdated).toBe(0);
    expect((await complete(world.ports, { ...mine, step: "step-1-1" })).completed).toBe(true);
  });

  it("is retried with its step where it is blocked or on hold", async () => {
    const mine = await held("/a", { number: "1" }, { number: "1.1" }, { number: "1.2" });
    await hold(world.ports, { plan: mine.plan, step: "step-1-2" });
    await hold(world.ports, mine);
    const blocked = `update steps set status = 'blocked', last_event = 'blocked' where plan_path = '${mine.plan}'`;
    await world.run(`${blocked} and anchor in ('step-1', 'step-1-1')`);
    await retry(world.ports, mine);
    expect(await statusOf(mine)).toBe("pending");
    expect(await statusOf({ ...mine, step: "step-1-1" })).toBe("pending");
    expect(await statusOf({ ...mine, step: "step-1-2" })).toBe("pending");
  });

  it("is listed with the items of its step until it is completed", async () => {
    const mine = await held("/a", { number: "1", tasks: ["dig"] }, { number: "1.1", title: "Level" });
    await start(world.ports, mine);
    const listed = async () =>
      (await world.pawl.step(mine)).items.map(({ anchor, text, status }) => `${anchor} ${text} ${status}`);
    expect(await listed()).toEqual(["step-1 dig open", "step-1-1 Level open"]);
    await complete(world.ports, { ...mine, step: "step-1-1" });
    expect(await listed()).toEqual(["step-1 dig open", "step-1-1 Level completed"]);
  });
});

describe("complete", () => {
  const FORCED = { forceReason: "for the test" };

  it("refuses open items and substeps, then completes and frees what waits", async () => {
    const mine = await held("/a", { number: "1", tasks: ["a"] }, { number: "2", dependsOn: ["step-1"] });
    await start(world.ports, mine);
    expect(await outcomeOf(complete(world.ports, mine))).not.toBe("ok");
    await update(world.ports, { ...mine, changes: [{ all: true, status: "completed" }] });
    const answer = await complete(world.ports, mine);
    expect([answer.completed, answer.forced, answer.allStepsCompleted]).toEqual([true, false, false]);
    expect((await world.step(mine.plan, "step-2")).unmet_deps).toBe(0);
    expect((await world.step(mine.plan, "step-1")).lease_expires_at).toBe(null);
  });

  it("by force ticks what was open, completes the substeps and notes the reason", async () => {
    const mine = await held("/a", { number: "1", tasks: ["a"] }, { number: "1.1" });
    await start(world.ports, mine);
    const answer = await complete(world.ports, { ...mine, ...FORCED });
    expect([answer.forced, answer.allStepsCompleted]).toEqual([true, true]);
    expect(await world.items(mine.plan, "step-1")).toEqual(["completed"]);
    expect(await statusOf({ ...mine, step: "step-1-1" })).toBe("completed");
    expect((await world.step(mine.plan, "step-1")).complete_reason).toBe(FORCED.forceReason);
  });

  /** What the caller's part of the transaction received. */
  const alongside = () => {
    const told: (CompleteAnswer | undefined)[] = [];
    return {
      told,
      alongside: async (_: unknown, answer: CompleteAnswer | undefined) => {
        told.push(answer);
      },
    };
  };

  it("does the caller's part in the same transaction, with the answer", async () => {
    const mine = await held("/a");
    await start(world.ports, mine);
    const part = alongside();
    await complete(world.ports, { ...mine, ...FORCED, alongside: part.alongside });
    expect(part.told.map((answer) => answer?.anchor)).toEqual(["step-1"]);
  });

  it("does it without an answer for a late result, which is kept", async () => {
    const mine = await held("/a");
    await start(world.ports, mine);
    await world.pawl.claim({ plan: mine.plan, worktree: "/b", step: "step-1", force: true });
    const part = alongside();
    expect(await outcomeOf(complete(world.ports, { ...mine, alongside: part.alongside }))).toBe("E076");
    expect(part.told).toEqual([undefined]);
    const { steps } = await world.pawl.show({ plan: mine.plan });
    expect(steps[0]!.lateResults.map(({ claim, worktree }) => [claim, worktree])).toEqual([[1, "/a"]]);
  });

  it("flushes the commit that it names before the step is completed with it", async () => {
    const mine = await held("/a");
    await start(world.ports, mine);
    const flushed: unknown[] = [];
    const git = {
      ...world.ports.git,
      commitExists: async (name: string) => name,
      flush: async (commits: readonly string[]) => void flushed.push(commits, await statusOf(mine)),
    };
    const hash = "0123456789012345678901234567890123456789";
    await complete({ ...world.ports, git }, { ...mine, ...FORCED, commit: hash });
    expect(flushed).toEqual([[hash], "in_progress"]);
    expect((await world.step(mine.plan, "step-1")).commit_hash).toBe(hash);
  });

  it("does nothing of it for a stranger", async () => {
    const mine = await held("/a");
    const part = alongside();
    const stranger = { ...mine, caller: world.caller("/b"), alongside: part.alongside };
    expect(await outcomeOf(complete(world.ports, stranger))).toBe("E049");
    expect(part.told).toEqual([]);
  });
});

describe("release", () => {
  it("gives the step back under a new number and keeps finished ticks", async () => {
    const mine = await held("/a", { number: "1", tasks: ["a", "b"] }, { number: "1.1" });
    await update(world.ports, {
      ...mine,
      changes: [
        { kind: "task", ordinal: 1, status: "completed" },
        { kind: "task", ordinal: 2, status: "in_progress" },
      ],
    });
    await world.set(mine.plan, "step-1", "verification_attempts = 2");
    await release(world.ports, mine);
    expect(await world.step(mine.plan, "step-1")).toMatchObject({
      status: "pending",
      claim_seq: 2,
      claimed_by: null,
      lease_expires_at: null,
      verification_attempts: 2,
    });
    expect(await statusOf({ ...mine, step: "step-1-1" })).toBe("pending");
    expect(await world.items(mine.plan, "step-1")).toEqual(["completed", "open"]);
  });

  it("by a person stops what a dead owner left running, and by the owner stops nothing", async () => {
    const dead = await heldBySession("/dead");
    await world.leaveAgent(dead.session, dead.plan, "step-1", 4801);
    world.dead.add(dead.session);
    await release(world.ports, { plan: dead.plan, step: "step-1" });
    expect(world.stopped).toContain(4801);
    const mine = await heldBySession("/own");
    await world.leaveAgent(mine.session, mine.plan, "step-1", 4802);
    await release(world.ports, mine);
    expect(world.stopped).not.toContain(4802);
  });

  it("by a person is refused where no worker holds it, and where it changed since it was shown", async () => {
    const mine = await held("/a");
    const seen = { status: "in_progress" as const, claim: 1 };
    expect(await outcomeOf(release(world.ports, { plan: mine.plan, step: "step-1", seen }))).not.toBe("ok");
    await release(world.ports, {
      plan: mine.plan,
      step: "step-1",
      seen: { status: "claimed", claim: 1 },
    });
    expect(await outcomeOf(release(world.ports, { plan: mine.plan, step: "step-1" }))).not.toBe("ok");
  });
});

describe("what people decide", () => {
  it("hold keeps the reason and the attempts, and no worker gets the step until a retry", async () => {
    const mine = await held("/a");
    await world.set(mine.plan, "step-1", "verification_attempts = 3");
    await hold(world.ports, { ...mine, reason: "rain" });
    expect(await world.step(mine.plan, "step-1")).toMatchObject({
      status: "on_hold",
      block_note: "rain",
      claim_seq: 2,
      verification_attempts: 3,
    });
    expect((await world.pawl.claim({ plan: mine.plan, worktree: "/b" })).anchor).toBe(null);
    await retry(world.ports, mine);
    expect(await world.step(mine.plan, "step-1")).toMatchObject({
      status: "pending",
      block_note: null,
      verification_attempts: 0,
    });
  });

  it("reset takes a step from its owner and gives it its attempts again", async () => {
    const mine = await held("/a", { number: "1", tasks: ["a"] }, { number: "1.1" });
    await world.set(mine.plan, "step-1", "verification_attempts = 3");
    const answer = await reset(world.ports, mine);
    expect([answer.status, answer.wasClaimedBy]).toEqual(["pending", "/a"]);
    expect(await world.step(mine.plan, "step-1")).toMatchObject({
      claim_seq: 2,
      session_id: null,
      verification_attempts: 0,
    });
    expect(await statusOf({ ...mine, step: "step-1-1" })).toBe("pending");
    expect(await outcomeOf(start(world.ports, mine))).toBe("E076");
  });

  it("reset leaves a pending step as it is, and refuses a completed one", async () => {
    const mine = await held("/a", { number: "1" });
    await release(world.ports, mine);
    await reset(world.ports, mine);
    expect(await world.step(mine.plan, "step-1")).toMatchObject({ status: "pending", claim_seq: 2 });
    const { claim } = await world.pawl.claim({ plan: mine.plan, worktree: "/a", start: true });
    await complete(world.ports, { ...mine, caller: world.caller("/a", { claim: claim! }) });
    expect(await outcomeOf(reset(world.ports, mine))).not.toBe("ok");
    expect(await outcomeOf(hold(world.ports, mine))).not.toBe("ok");
  });

  it("reopen takes a completion back for a reason, and what depends on it waits again", async () => {
    const mine = await held("/a", { number: "1", tasks: ["a"] }, { number: "2", dependsOn: ["step-1"] });
    await start(world.ports, mine);
    await complete(world.ports, { ...mine, forceReason: "for the test" });
    expect(await outcomeOf(reopen(world.ports, mine))).not.toBe("ok");
    await reopen(world.ports, { ...mine, reason: "it broke" });
    expect(await world.step(mine.plan, "step-1")).toMatchObject({
      status: "pending",
      commit_hash: null,
      completed_at: null,
      reopen_reason: "it broke",
    });
    expect(await world.items(mine.plan, "step-1")).toEqual(["open"]);
    expect((await world.step(mine.plan, "step-2")).unmet_deps).toBe(1);
  });

  it("reopen opens a step with all its substeps, for otherwise nothing of it would be open", async () => {
    const mine = await held("/a", { number: "1" }, { number: "1.1", tasks: ["a"] }, { number: "1.2" });
    await start(world.ports, mine);
    await complete(world.ports, { ...mine, forceReason: "for the test" });
    await reopen(world.ports, { ...mine, reason: "it broke" });
    for (const anchor of ["step-1", "step-1-1", "step-1-2"])
      expect(await world.step(mine.plan, anchor)).toMatchObject({
        status: "pending",
        reopen_reason: "it broke",
      });
    expect(await world.items(mine.plan, "step-1-1")).toEqual(["open"]);
  });

  it("reopen opens a substep with its step, and leaves the other substeps completed", async () => {
    const mine = await held(
      "/a",
      { number: "1" },
      { number: "1.1" },
      { number: "1.2" },
      { number: "2", dependsOn: ["step-1"] },
    );
    await start(world.ports, mine);
    await complete(world.ports, { ...mine, forceReason: "for the test" });
    await reopen(world.ports, { ...mine, step: "step-1-1", reason: "it broke" });
    expect(await statusOf(mine)).toBe("pending");
    expect(await statusOf({ ...mine, step: "step-1-1" })).toBe("pending");
    expect(await statusOf({ ...mine, step: "step-1-2" })).toBe("completed");
    expect((await world.step(mine.plan, "step-2")).unmet_deps).toBe(1);
  });

  it("a substep on hold puts its step on hold, also one that a worker holds, until it is retried", async () => {
    const mine = await held("/a", { number: "1" }, { number: "1.1" }, { number: "1.2" });
    const [first, second] = ["step-1-1", "step-1-2"].map((step) => ({ plan: mine.plan, step }));
    await hold(world.ports, { ...first!, reason: "rain" });
    await hold(world.ports, second!);
    expect(await world.step(mine.plan, "step-1")).toMatchObject({
      status: "on_hold",
      block_note: "its substep step-1-1 is on hold: rain",
    });
    expect((await world.pawl.claim({ plan: mine.plan, worktree: "/b" })).claimed).toBe(false);
    await retry(world.ports, first!);
    expect(await world.step(mine.plan, "step-1")).toMatchObject({
      status: "on_hold",
      block_note: "its substep step-1-2 is on hold",
    });
    await retry(world.ports, second!);
    expect(await statusOf(mine)).toBe("pending");
  });

  it("retrying a step retries its substeps that are on hold; a step on hold itself stays so", async () => {
    const mine = await held("/a", { number: "1" }, { number: "1.1" });
    const substep = { plan: mine.plan, step: "step-1-1" };
    await hold(world.ports, mine);
    await hold(world.ports, substep);
    await retry(world.ports, substep);
    expect(await statusOf(mine)).toBe("on_hold");
    await hold(world.ports, substep);
    await retry(world.ports, mine);
    expect(await statusOf(substep)).toBe("pending");
  });

  it("a decision about a step that has changed since is none", async () => {
    const mine = await held("/a");
    const seen = { status: "pending" as const, claim: 0 };
    for (const verb of [reset, hold])
      expect(await outcomeOf(verb(world.ports, { ...mine, seen }))).not.toBe("ok");
    expect(await statusOf(mine)).toBe("claimed");
  });
});
