import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { NOW } from "../../src/platform/ports/database.ts";
import { checkPlan } from "../support/check-plan.ts";
import { planText } from "../support/plans.ts";
import { type ConformanceWorld, openWorld, type OpenStore, outcomeOf, raw } from "./store.ts";

/** The journal: everything that happened, nothing else, for ever. */
export function journalConformance(name: string, open: OpenStore): void {
  describe(`${name} keeps the journal`, () => {
    let world: ConformanceWorld;
    let plans = 0;
    beforeAll(async () => {
      world = await openWorld(open);
    });
    afterAll(() => world.close());

    const saved = async (): Promise<string> => {
      const plan = `journal-${(plans += 1)}.md`;
      world.plans.set(
        plan,
        planText([{ number: "1", tasks: ["a"] }, { number: "1.1" }, { number: "2", dependsOn: ["step-1"] }]),
      );
      await world.pawl.init({ plan });
      return plan;
    };
    const told = async (plan: string) =>
      (await world.pawl.events({ plan, after: 0, most: 1000 })).map(({ anchor, event, claim }) =>
        [event, anchor, claim].filter((part) => part !== null).join(" "),
      );

    it("of every change, in the order it happened", async () => {
      const plan = await saved();
      const { claim } = await world.pawl.claim({ plan, worktree: "/a" });
      const who = { plan, step: "step-1", worktree: "/a", claim: claim! };
      await world.pawl.start(who);
      await world.pawl.update({ ...who, changes: [{ all: true, status: "completed" }] });
      await world.pawl.artifact({ ...who, kind: "auditor_summary", summary: "fine" });
      await world.pawl.heartbeat(who);
      await world.pawl.complete({ ...who, step: "step-1-1" });
      await world.pawl.complete(who);
      await world.pawl.reopen({ plan, step: "step-1", reason: "it broke" });
      await world.pawl.hold({ plan, step: "step-1" });
      await world.pawl.retry({ plan, step: "step-1" });
      expect(await told(plan)).toEqual([
        "saved",
        "claimed step-1 1",
        "started step-1 1",
        "items-updated step-1 1",
        "artifact-recorded step-1 1",
        "started step-1-1 1",
        "completed step-1-1 1",
        "completed step-1 1",
        "reopened step-1 1",
        "reopened step-1-1 1",
        "held step-1 2",
        "retried step-1 3",
      ]);
      expect(await checkPlan(world.database, plan)).toEqual([]);
    });

    it("with one instant for a transaction, whether or not it was known when it was asked for", async () => {
      const ask = raw<{ at: string; word: string }>("select :now as at, :word as word");
      const told = await world.database.write(
        async (sql) => {
          const early = await sql.get(ask, { now: NOW, word: NOW });
          const late = await sql.get(ask, { now: NOW, word: "x" });
          return { early: early!, late: late!.at, now: sql.now };
        },
        { atOnce: true },
      );
      expect(told.late).toBe(told.now);
      expect(Math.abs(Date.parse(told.early.at) - Date.parse(told.now))).toBeLessThan(60_000);
      expect(told.early.at).toHaveLength(told.now.length);
      // A text that happens to be the same word is a text.
      expect(told.early.word).toBe(NOW);
    });

    it("with the number of the claim that covers the step, also when the caller names none", async () => {
      const plan = await saved();
      await world.pawl.claim({ plan, worktree: "/a" });
      await world.pawl.reset({ plan, step: "step-1-1" });
      const who = { plan, step: "step-1-1", worktree: "/a" };
      await world.pawl.start(who);
      await world.pawl.update({ ...who, changes: [{ all: true, status: "completed" }] });
      await world.pawl.artifact({ ...who, kind: "auditor_summary", summary: "fine" });
      await world.pawl.complete(who);
      const lines = (await told(plan)).filter((line) => /^(started|items|artifact|completed)/.test(line));
      expect(lines.map((line) => line.split(" ").at(-1))).toEqual(["1", "1", "1", "1"]);
    });

    it("without a line for what was refused", async () => {
      const plan = await saved();
      const before = await told(plan);
      await outcomeOf(world.pawl.start({ plan, step: "step-1", worktree: "/a" }));
      await outcomeOf(world.pawl.complete({ plan, step: "step-2", worktree: "/a" }));
      await outcomeOf(world.pawl.release({ plan, step: "step-1" }));
      await outcomeOf(world.pawl.reopen({ plan, step: "step-1", reason: "why not" }));
      expect(await told(plan)).toEqual(before);
    });

    it("in the transaction of the change: one that fails leaves no line", async () => {
      const plan = await saved();
      const before = await told(plan);
      const broken = world.database.write(async (sql) => {
        await sql.run(raw("insert into events (at, plan_path, event) values (:now, :plan, 'made up')"), {
          now: sql.now,
          plan,
        });
        throw new Error("the change failed");
      });
      expect(await outcomeOf(broken)).toContain("the change failed");
      expect(await told(plan)).toEqual(before);
    });

    it("and no call can change or remove a line", async () => {
      const plan = await saved();
      const before = await told(plan);
      for (const text of [
        "update events set event = 'other'",
        "update events set claim = 99 where plan_path = :plan",
        "delete from events",
        "delete from events where plan_path = :plan",
      ])
        expect(
          await outcomeOf(
            world.database.write((sql) => sql.run(raw(text), text.includes(":plan") ? { plan } : {})),
          ),
          text,
        ).not.toBe("ok");
      expect(await told(plan)).toEqual(before);
    });

    it("survives the plan it tells of", async () => {
      const plan = await saved();
      const before = await told(plan);
      world.plans.delete(plan);
      await world.pawl.prune();
      expect(await told(plan)).toEqual([...before, "pruned"]);
    });
  });
}
