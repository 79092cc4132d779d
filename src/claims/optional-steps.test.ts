import { afterEach, beforeEach, expect, it } from "vitest";
import { embeddedWorld, type EmbeddedWorld } from "../../test/support/embedded-world.ts";
import { findInconsistencies } from "../plans/sql/find-inconsistencies.ts";
import { findPlan } from "../plans/sql/find-plan.ts";

let world: EmbeddedWorld;
beforeEach(async () => {
  world = await embeddedWorld();
});
afterEach(() => world.close());

const PLAN = "tasks.md";

const planStatus = async (): Promise<string | undefined> =>
  (await world.database.read((sql) => sql.get(findPlan, { plan_path: PLAN })))?.status;

const workOn = async (anchor: string): Promise<void> => {
  const caller = { plan: PLAN, worktree: "/w" };
  await world.pawl.claim({ ...caller, step: anchor, start: true });
  await world.pawl.complete({ ...caller, step: anchor });
};

it("an optional step is offered and keeps no plan from being done", async () => {
  world.plans.set(PLAN, "# Implementation Plan\n\n- [ ] 1. a\n- [ ]* 2. b\n- [ ] 3. c\n");
  await world.pawl.init({ plan: PLAN });
  expect(await world.step(PLAN, "2")).toMatchObject({ status: "on_hold", block_reason: "optional" });
  expect(await world.pawl.ready({ plan: PLAN })).toMatchObject({
    ready: [{ anchor: "1" }],
    blocked: [{ anchor: "3", blockedBy: ["1"] }],
    optional: [{ anchor: "2" }],
  });

  await workOn("1");
  const claimed = await world.pawl.claim({ plan: PLAN, worktree: "/w" });
  expect(claimed).toMatchObject({ anchor: "3", totalRemaining: 1 });
  await world.pawl.start({ plan: PLAN, worktree: "/w", step: "3" });
  expect(await world.pawl.complete({ plan: PLAN, worktree: "/w", step: "3" })).toMatchObject({
    allStepsCompleted: true,
  });
  expect(await planStatus()).toBe("done");
  expect(await world.pawl.claim({ plan: PLAN, worktree: "/w" })).toMatchObject({
    claimed: false,
    allCompleted: true,
    waiting: [{ anchor: "2", reason: "optional" }],
  });
  expect(await world.database.read((sql) => sql.all(findInconsistencies, {}))).toEqual([]);
});

it("an optional step that a person asks for is work of the plan like any other", async () => {
  world.plans.set(PLAN, "# Implementation Plan\n\n- [x] 1. a\n- [ ]* 2. b\n");
  await world.pawl.init({ plan: PLAN });
  expect(await planStatus()).toBe("done");
  await world.pawl.retry({ plan: PLAN, step: "2" });
  expect(await planStatus()).toBe("active");
  expect(await world.database.read((sql) => sql.all(findInconsistencies, {}))).toEqual([]);
  await workOn("2");
  expect(await planStatus()).toBe("done");
});

it("a step that a person put on hold still keeps its plan from being done", async () => {
  world.plans.set(PLAN, "# Implementation Plan\n\n- [x] 1. a\n- [ ] 2. b\n");
  await world.pawl.init({ plan: PLAN });
  await world.pawl.hold({ plan: PLAN, step: "2", reason: "optional" });
  expect(await planStatus()).toBe("active");
});

it("an optional item stays so when its step changes hands, and what a worker deferred does not", async () => {
  world.plans.set(
    PLAN,
    "# Implementation Plan\n\n- [ ] 1. a\n  - [ ] 1.1 b\n  - [ ]* 1.2 c\n  - [ ] 1.3 d\n",
  );
  await world.pawl.init({ plan: PLAN });
  const items = () => world.items(PLAN, "1");
  expect(await items()).toEqual(["open", "deferred", "open"]);
  for (const worktree of ["/w", "/w", "/x"]) {
    await world.pawl.claim({ plan: PLAN, worktree, step: "1", start: true });
    expect(await items()).toEqual(["open", "deferred", "open"]);
    const changes = [{ kind: "task" as const, ordinal: 3, status: "deferred" }];
    await world.pawl.update({ plan: PLAN, worktree, step: "1", changes, reason: "rain" });
    await world.pawl.reset({ plan: PLAN, step: "1" });
    expect(await items()).toEqual(["open", "deferred", "open"]);
  }
});
