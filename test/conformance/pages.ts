import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { planText } from "../support/plans.ts";
import { type ConformanceWorld, openWorld, type OpenStore, outcomeOf } from "./store.ts";

/** Reading in pages, and decisions that say what they were made on. */
export function pageConformance(name: string, open: OpenStore): void {
  describe(`${name} is read in pages`, () => {
    let world: ConformanceWorld;
    const plan = "pages.md";
    beforeAll(async () => {
      world = await openWorld(open);
      world.plans.set(
        plan,
        planText([
          { number: "1", tasks: ["a", "b"] },
          { number: "1.1", tasks: ["c"] },
          { number: "2", dependsOn: ["step-1"] },
          { number: "3" },
        ]),
      );
      await world.pawl.init({ plan });
    });
    afterAll(() => world.close());

    it("step by step in the order of the plan, each with its lane, its items and what it waits for", async () => {
      const seen: string[] = [];
      for (let after: number | undefined | null; after !== null;) {
        const page = await world.pawl.stepLines({ plan, after, most: 1 });
        for (const { anchor, lane, itemsTotal, dependsOn } of page.steps)
          seen.push(`${anchor} ${lane} ${itemsTotal} ${dependsOn?.join(",")}`);
        after = page.next;
      }
      expect(seen).toEqual([
        "step-1 ready 2 ",
        "step-1-1 ready 1 ",
        "step-2 waiting 0 step-1",
        "step-3 ready 0 ",
      ]);
      const named = await world.pawl.stepLines({ plan, anchors: ["step-3", "step-1", "nobody"] });
      expect(named.steps.map(({ anchor }) => anchor)).toEqual(["step-3", "step-1"]);
    });

    it("line by line backwards, through filters, to the beginning", async () => {
      await world.pawl.hold({ plan, step: "step-3", reason: "later" });
      await world.pawl.retry({ plan, step: "step-3" });
      const seen: string[] = [];
      for (let before: number | undefined | null; before !== null;) {
        const page = await world.pawl.journalPage({ plan, before, most: 2 });
        seen.push(...page.events.map(({ event }) => event));
        before = page.next;
      }
      expect(seen).toEqual(["retried", "held", "saved"]);
      const held = await world.pawl.journalPage({ plan, event: "held", step: "step-3" });
      expect(held.events.map(({ detail }) => detail["reason"])).toEqual(["later"]);
      expect(await world.pawl.newestLine()).toBe((await world.pawl.events({ most: 1 }))[0]!.id);
    });

    it("with neighbours and history of a step", async () => {
      const history = await world.pawl.stepHistory({ plan, step: "step-1" });
      expect(history).toMatchObject({ waitsFor: [], attempts: [], commands: [] });
      expect(history.waitedForBy.map(({ anchor }) => anchor)).toEqual(["step-2"]);
      expect(history.text).toContain("a");
      expect((await world.pawl.stepHistory({ plan, step: "step-2" })).waitsFor).toMatchObject([
        { anchor: "step-1" },
      ]);
      expect(await world.pawl.timeline({ plan })).toEqual([]);
      await world.pawl.hold({ plan, step: "step-2", reason: "wait" });
      expect(await world.pawl.diagnosis({ plan })).toMatchObject([
        { rule: "step-on-hold", anchor: "step-2" },
      ]);
    });

    it("and acts only on what the decision was made on", async () => {
      const [seen] = (await world.pawl.stepLines({ plan, anchors: ["step-3"] })).steps;
      const decided = { plan, step: "step-3", seen: { status: seen!.status, claim: seen!.claim } };
      await world.pawl.claim({ plan, worktree: "/a", step: "step-3" });
      for (const verb of ["hold", "reset", "release"] as const)
        expect(await outcomeOf(world.pawl[verb](decided))).toBe("E240");
      const [now] = (await world.pawl.stepLines({ plan, anchors: ["step-3"] })).steps;
      expect(now).toMatchObject({ status: "claimed", lane: "working" });
      const again = { ...decided, seen: { status: now!.status, claim: now!.claim } };
      expect(await outcomeOf(world.pawl.release(again))).toBe("ok");
      expect(await outcomeOf(world.pawl.release(again))).toBe("E240");
    });
  });
}
