import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ItemChange } from "../../src/steps/update.ts";
import { planText, type StepSpec } from "../support/plans.ts";
import {
  type ConformanceWorld,
  itemStatuses,
  openWorld,
  type OpenStore,
  outcomeOf,
  stepRow,
} from "./store.ts";

/** What ticks mean, and for whom. */
export function checklistConformance(name: string, open: OpenStore): void {
  describe(`${name} keeps checklists`, () => {
    let world: ConformanceWorld;
    let plans = 0;
    beforeAll(async () => {
      world = await openWorld(open);
    });
    afterAll(() => world.close());

    const STEP: StepSpec = { number: "1", tasks: ["one", "two"], tests: ["three"], checkpoints: ["four"] };
    const started = async (...steps: StepSpec[]) => {
      const plan = `checklists-${(plans += 1)}.md`;
      world.plans.set(plan, planText(steps));
      await world.pawl.init({ plan });
      return begin(plan, "/a");
    };
    const begin = async (plan: string, worktree: string, more: object = {}) => {
      const { anchor, claim } = await world.pawl.claim({ plan, worktree, ...more });
      const who = { plan, step: anchor!, worktree, claim: claim! };
      await world.pawl.start(who);
      return who;
    };
    type Who = Awaited<ReturnType<typeof begin>>;
    const update = (who: Who, reason: string | undefined, ...changes: ItemChange[]) =>
      world.pawl.update({ ...who, changes, reason });
    const items = ({ plan, step }: Pick<Who, "plan" | "step">) => itemStatuses(world.database, plan, step);

    it("by kind and ordinal, by kind, by text, and whole", async () => {
      const who = await started(STEP);
      await update(who, undefined, { kind: "task", ordinal: 2, status: "completed" });
      expect(await items(who)).toEqual(["open", "completed", "open", "open"]);
      await update(
        who,
        undefined,
        { kind: "test", all: true, status: "in_progress" },
        { match: "FOUR", status: "completed" },
      );
      expect(await items(who)).toEqual(["open", "completed", "in_progress", "completed"]);
      await update(
        who,
        undefined,
        { all: true, status: "completed" },
        { kind: "task", ordinal: 1, status: "open" },
      );
      expect(await items(who)).toEqual(["open", "completed", "completed", "completed"]);
    });

    it("all changes of one call or none", async () => {
      const who = await started(STEP);
      const call = update(
        who,
        undefined,
        { kind: "task", ordinal: 1, status: "completed" },
        { kind: "task", ordinal: 9, status: "completed" },
      );
      expect(await outcomeOf(call)).toBe("E061");
      expect(await items(who)).toEqual(["open", "open", "open", "open"]);
    });

    it("and defers only for a reason", async () => {
      const who = await started(STEP);
      expect(await outcomeOf(update(who, undefined, { all: true, status: "deferred" }))).toBe("E081");
      expect(await items(who)).toEqual(["open", "open", "open", "open"]);
      await update(who, "later", { all: true, status: "deferred" });
      await world.pawl.complete(who);
      expect((await stepRow(world.database, who.plan, "step-1")).status).toBe("completed");
    });

    it("and completes nothing while an item is open", async () => {
      const who = await started(STEP);
      await update(
        who,
        undefined,
        { all: true, status: "completed" },
        { kind: "task", ordinal: 1, status: "in_progress" },
      );
      expect(await outcomeOf(world.pawl.complete(who))).toBe("E051");
      expect((await stepRow(world.database, who.plan, "step-1")).status).toBe("in_progress");
    });

    it("finished ticks stay for the worktree that earned them, begun ones are open again", async () => {
      const who = await started(STEP);
      await update(
        who,
        "later",
        { kind: "task", ordinal: 1, status: "completed" },
        { kind: "task", ordinal: 2, status: "in_progress" },
        { match: "three", status: "deferred" },
      );
      await begin(who.plan, "/a");
      expect(await items(who)).toEqual(["completed", "open", "open", "open"]);
    });

    it("and none stays for another worktree, also not after a release", async () => {
      const who = await started(STEP);
      await update(who, undefined, { all: true, status: "completed" });
      await world.pawl.release(who);
      expect(await items(who)).toEqual(["completed", "completed", "completed", "completed"]);
      await begin(who.plan, "/b");
      expect(await items(who)).toEqual(["open", "open", "open", "open"]);
    });

    it("completed substeps and their items survive any change of hands", async () => {
      const who = await started(
        { number: "1" },
        { number: "1.1", tasks: ["a"] },
        { number: "1.2", tasks: ["b"] },
      );
      for (const step of ["step-1-1", "step-1-2"])
        await update({ ...who, step }, undefined, { all: true, status: "completed" });
      await world.pawl.complete({ ...who, step: "step-1-1" });
      await begin(who.plan, "/b", { force: true });
      expect([await items({ ...who, step: "step-1-1" }), await items({ ...who, step: "step-1-2" })]).toEqual([
        ["completed"],
        ["open"],
      ]);
      expect((await stepRow(world.database, who.plan, "step-1-1")).status).toBe("completed");
    });

    it("force ticks what is left, except what was deferred", async () => {
      const who = await started(STEP, { number: "1.1", tasks: ["a"] });
      await update(who, "later", { kind: "task", ordinal: 1, status: "deferred" });
      await world.pawl.complete({ ...who, forceReason: "no time" });
      expect(await items(who)).toEqual(["deferred", "completed", "completed", "completed"]);
      expect(await items({ ...who, step: "step-1-1" })).toEqual(["completed"]);
    });

    it("and reopening unticks everything", async () => {
      const who = await started(STEP);
      await world.pawl.complete({ ...who, forceReason: "no time" });
      await world.pawl.reopen({ plan: who.plan, step: who.step, reason: "it broke" });
      expect(await items(who)).toEqual(["open", "open", "open", "open"]);
    });
  });
}
