import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { planText } from "../support/plans.ts";
import { type ConformanceWorld, openWorld, type OpenStore, outcomeOf, stepRow } from "./store.ts";

const DAY_MS = 86_400_000;

/** Who gets which step, and when. */
export function claimConformance(name: string, open: OpenStore): void {
  describe(`${name} hands out steps`, () => {
    let world: ConformanceWorld;
    let plans = 0;
    beforeAll(async () => {
      world = await openWorld(open);
    });
    afterAll(() => world.close());

    const saved = async (...steps: Parameters<typeof planText>[0][number][]): Promise<string> => {
      const plan = `claims-${(plans += 1)}.md`;
      world.plans.set(plan, planText(steps));
      await world.pawl.init({ plan });
      return plan;
    };
    const claim = async (plan: string, worktree: string, more: object = {}) => {
      const answer = await world.pawl.claim({ plan, worktree, ...more });
      return answer.anchor;
    };
    const finish = async (plan: string, worktree: string) => {
      const { anchor, claim: number } = await world.pawl.claim({ plan, worktree });
      const who = { plan, step: anchor!, worktree, claim: number! };
      await world.pawl.start(who);
      await world.pawl.complete({ ...who, forceReason: "for the test" });
    };

    it("in the order of the plan, each to one worktree", async () => {
      const plan = await saved({ number: "1" }, { number: "2" }, { number: "3" });
      expect([
        await claim(plan, "/a"),
        await claim(plan, "/b"),
        await claim(plan, "/c"),
        await claim(plan, "/d"),
      ]).toEqual(["step-1", "step-2", "step-3", null]);
    });

    it("the one a worktree holds before any other, under a new number", async () => {
      const plan = await saved({ number: "1" }, { number: "2" });
      await claim(plan, "/a");
      await claim(plan, "/b");
      await world.pawl.release({ plan, step: "step-1", worktree: "/a" });
      const again = await world.pawl.claim({ plan, worktree: "/b" });
      expect([again.anchor, again.claim, again.reclaimed, again.displaced]).toEqual([
        "step-2",
        2,
        true,
        null,
      ]);
    });

    it("and starts them too where the worker asks for that, each move with its line in the journal", async () => {
      const plan = await saved({ number: "1" }, { number: "2" });
      const first = await world.pawl.claim({ plan, worktree: "/a", start: true });
      expect([first.anchor, first.claim, first.started]).toEqual(["step-1", 1, true]);
      expect(await stepRow(world.database, plan, "step-1")).toMatchObject({ status: "in_progress" });
      // Asked again, it is the same step under a new number, at work again.
      const again = await world.pawl.claim({ plan, worktree: "/a", start: true });
      expect([again.anchor, again.claim, again.started]).toEqual(["step-1", 2, true]);
      const lines = (await world.pawl.events({ plan })).filter(({ anchor }) => anchor === "step-1");
      expect(lines.map(({ event, claim: number }) => `${event} ${number}`)).toEqual([
        "claimed 1",
        "started 1",
        "reclaimed 2",
        "started 2",
      ]);
      await world.pawl.complete({
        plan,
        step: "step-1",
        worktree: "/a",
        claim: 2,
        forceReason: "for the test",
      });
    });

    it("not the one a worktree holds while that waits again, or what it waits for would never be done", async () => {
      const plan = await saved({ number: "1" }, { number: "2", dependsOn: ["step-1"] });
      await finish(plan, "/a");
      expect(await claim(plan, "/a")).toBe("step-2");
      await world.pawl.reopen({ plan, step: "step-1", reason: "it broke" });
      expect(await claim(plan, "/a")).toBe("step-1");
      await world.pawl.start({ plan, step: "step-1", worktree: "/a" });
      await world.pawl.complete({ plan, step: "step-1", worktree: "/a" });
      expect(await claim(plan, "/a")).toBe("step-2");
    });

    it("never before its dependencies are completed, not even by force", async () => {
      const plan = await saved({ number: "1" }, { number: "2", dependsOn: ["step-1"] });
      await claim(plan, "/a");
      expect(await claim(plan, "/b")).toBe(null);
      expect(await claim(plan, "/b", { step: "step-2", force: true })).toBe(null);
      await world.pawl.release({ plan, step: "step-1", worktree: "/a" });
      await finish(plan, "/a");
      expect(await claim(plan, "/b")).toBe("step-2");
    });

    it("by force only what no other worker has free, and says whom it displaced", async () => {
      const plan = await saved({ number: "1" }, { number: "2" });
      await claim(plan, "/a");
      const free = await world.pawl.claim({ plan, worktree: "/b", force: true });
      expect([free.anchor, free.displaced]).toEqual(["step-2", null]);
      const taken = await world.pawl.claim({ plan, worktree: "/c", force: true });
      expect([taken.anchor, taken.claim, taken.displaced]).toEqual([
        "step-1",
        2,
        { worktree: "/a", session: null, claim: 1 },
      ]);
    });

    it("or says of every open step why not", async () => {
      const plan = await saved({ number: "1" }, { number: "2", dependsOn: ["step-1"] }, { number: "3" });
      await claim(plan, "/a");
      await world.pawl.hold({ plan, step: "step-3", reason: "rain" });
      const { claimed, waiting, totalRemaining } = await world.pawl.claim({ plan, worktree: "/b" });
      expect([claimed, totalRemaining]).toEqual([false, 3]);
      expect(
        waiting.map(({ anchor, reason, blockedBy, heldBy, note }) => [
          anchor,
          reason,
          blockedBy,
          heldBy,
          note,
        ]),
      ).toEqual([
        ["step-1", "held", [], "/a", null],
        ["step-2", "dependencies", ["step-1"], null, null],
        ["step-3", "on_hold", [], null, "rain"],
      ]);
    });

    it("or says it of the one step that was named", async () => {
      const plan = await saved({ number: "1" }, { number: "2", dependsOn: ["step-1"] }, { number: "3" });
      await finish(plan, "/a");
      await claim(plan, "/a", { step: "step-2" });
      const reasonFor = async (step: string) => {
        const { claimed, waiting } = await world.pawl.claim({ plan, worktree: "/b", step });
        return [claimed, waiting.map(({ anchor, reason }) => `${anchor} ${reason}`)];
      };
      expect(await reasonFor("step-1")).toEqual([false, ["step-1 completed"]]);
      expect(await reasonFor("#step-2")).toEqual([false, ["step-2 held"]]);
    });

    it("and all is completed when all is", async () => {
      const plan = await saved({ number: "1" });
      await finish(plan, "/a");
      const { claimed, allCompleted, waiting } = await world.pawl.claim({ plan, worktree: "/b" });
      expect([claimed, allCompleted, waiting]).toEqual([false, true, []]);
    });

    it("with their substeps, under one number", async () => {
      const plan = await saved({ number: "1" }, { number: "1.1" }, { number: "1.2" });
      const { claim: number } = await world.pawl.claim({ plan, worktree: "/a" });
      for (const anchor of ["step-1", "step-1-1", "step-1-2"]) {
        const row = await stepRow(world.database, plan, anchor);
        expect([row.status, row.claimed_by, row.claim_seq], anchor).toEqual(["claimed", "/a", number]);
      }
      expect(await outcomeOf(world.pawl.claim({ plan, worktree: "/b", step: "step-1-1" }))).toBe("E066");
    });

    it("whose lease is over, to any worker", async () => {
      const plan = await saved({ number: "1" });
      await claim(plan, "/a", { leaseSeconds: 60 });
      world.clock.uptime += 59_999;
      expect(await claim(plan, "/b")).toBe(null);
      world.clock.uptime += 1;
      const taken = await world.pawl.claim({ plan, worktree: "/b" });
      expect([taken.anchor, taken.displaced?.worktree]).toEqual(["step-1", "/a"]);
    });

    it("of a living session to no worker, however old, and of a dead one at once", async () => {
      const plan = await saved({ number: "1" });
      const { id } = await world.pawl.openSession({ plan, worktree: "/a" });
      await claim(plan, "/a", { session: id, leaseSeconds: 60 });
      world.clock.uptime += 30 * DAY_MS;
      expect(await claim(plan, "/b")).toBe(null);
      expect(await outcomeOf(claim(plan, "/a"))).toBe("E075");
      const another = await world.pawl.openSession({ plan, worktree: "/a" });
      expect(await outcomeOf(claim(plan, "/a", { session: another.id }))).toBe("E075");
      world.dead.add(id);
      expect(await claim(plan, "/b")).toBe("step-1");
    });

    it("of a session that has ended, at once", async () => {
      const plan = await saved({ number: "1" });
      const session = await world.pawl.openSession({ plan, worktree: "/a" });
      await claim(plan, "/a", { session: session.id });
      expect(await claim(plan, "/b")).toBe(null);
      await session.end("failed");
      expect(await claim(plan, "/b")).toBe("step-1");
    });

    it("once for one request id, with the same answer for ever", async () => {
      const plan = await saved({ number: "1" }, { number: "2" });
      const first = await world.pawl.claim({ plan, worktree: "/a", requestId: "one" });
      expect(await world.pawl.claim({ plan, worktree: "/a", requestId: "one" })).toEqual(first);
      await world.pawl.release({ plan, step: "step-1", worktree: "/a" });
      await claim(plan, "/b");
      expect(await world.pawl.claim({ plan, worktree: "/a", requestId: "one" })).toEqual(first);
      expect(await outcomeOf(world.pawl.claim({ plan, worktree: "/b", requestId: "one" }))).toBe("E078");
      expect(
        await outcomeOf(world.pawl.start({ plan, step: "step-1", worktree: "/a", requestId: "one" })),
      ).toBe("E078");
    });

    it("one each when many ask at once", async () => {
      const plan = await saved(...Array.from({ length: 20 }, (_, index) => ({ number: String(index + 1) })));
      const claimed = await Promise.all(
        Array.from({ length: 30 }, (_, index) => claim(plan, `/many-${index}`)),
      );
      const steps = claimed.filter((anchor) => anchor !== null);
      expect(steps.length).toBe(20);
      expect(new Set(steps).size).toBe(20);
    });
  });
}
