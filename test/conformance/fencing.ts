import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { completeStep } from "../../src/steps/sql/complete-step.ts";
import { insertArtifact } from "../../src/steps/sql/insert-artifact.ts";
import { openIntent } from "../../src/commits/sql/open-intent.ts";
import { rejectStep } from "../../src/steps/sql/reject-step.ts";
import { releaseStep } from "../../src/steps/sql/release-step.ts";
import { renewLease } from "../../src/steps/sql/renew-lease.ts";
import { setItem } from "../../src/steps/sql/set-item.ts";
import { startStep } from "../../src/steps/sql/start-step.ts";
import { markAwaitingVerification } from "../../src/steps/sql/mark-awaiting-verification.ts";
import { planText, type StepSpec } from "../support/plans.ts";
import { type ConformanceWorld, openWorld, type OpenStore, outcomeOf, raw, stepRow } from "./store.ts";

/** A number that is over stays over, whatever happens to the step and the plan. */
export function fencingConformance(name: string, open: OpenStore): void {
  describe(`${name} fences off old owners`, () => {
    let world: ConformanceWorld;
    let plans = 0;
    beforeAll(async () => {
      world = await openWorld(open);
    });
    afterAll(() => world.close());

    const STEP = { number: "1", tasks: ["a", "b"] };
    const saved = async (...steps: StepSpec[]): Promise<string> => {
      const plan = `fencing-${(plans += 1)}.md`;
      world.plans.set(plan, planText(steps));
      await world.pawl.init({ plan });
      return plan;
    };
    const granted = async (plan: string, worktree: string, more: object = {}) => {
      const { anchor, claim } = await world.pawl.claim({ plan, worktree, ...more });
      return { plan, step: anchor!, worktree, claim: claim! };
    };
    const verbs = (who: Awaited<ReturnType<typeof granted>>) => ({
      start: () => world.pawl.start(who),
      heartbeat: () => world.pawl.heartbeat(who),
      update: () => world.pawl.update({ ...who, changes: [{ all: true, status: "completed" }] }),
      artifact: () => world.pawl.artifact({ ...who, kind: "auditor_summary", summary: "s" }),
      complete: () => world.pawl.complete(who),
      "complete by force": () => world.pawl.complete({ ...who, forceReason: "why not" }),
      release: () => world.pawl.release(who),
    });
    /** All of the plan but the journal and what is kept of late results. */
    const state = (plan: string) =>
      world.database.read(async (sql) => [
        await sql.all(raw<object>("select * from steps where plan_path = :plan order by step_index"), {
          plan,
        }),
        await sql.all(raw<object>("select * from checklist_items where plan_path = :plan order by id"), {
          plan,
        }),
        await sql.all(raw<object>("select * from step_artifacts where plan_path = :plan order by id"), {
          plan,
        }),
      ]);

    it.each([
      "start",
      "heartbeat",
      "update",
      "artifact",
      "complete",
      "complete by force",
      "release",
    ] as const)("from %s, and changes nothing", async (verb) => {
      const plan = await saved(STEP);
      const old = await granted(plan, "/a");
      await world.pawl.start(old);
      const now = await granted(plan, "/b", { force: true });
      await world.pawl.start(now);
      const before = await state(plan);
      expect(await outcomeOf(verbs(old)[verb]())).toBe("E076");
      expect(await outcomeOf(verbs({ ...old, claim: now.claim })[verb]())).toBe("E049");
      expect(await outcomeOf(verbs({ ...now, claim: now.claim + 1 })[verb]())).toBe("E049");
      expect(await state(plan)).toEqual(before);
    });

    it.each([
      "start",
      "heartbeat",
      "update",
      "artifact",
      "complete",
      "complete by force",
      "release",
    ] as const)("from %s in the same worktree, where only the number tells them apart", async (verb) => {
      const plan = await saved(STEP);
      const old = await granted(plan, "/a");
      await granted(plan, "/a");
      const before = await state(plan);
      expect(await outcomeOf(verbs(old)[verb]())).toBe("E076");
      expect(await state(plan)).toEqual(before);
    });

    describe("and keeps a session's step to that session", () => {
      const VERBS = ["start", "heartbeat", "update", "artifact", "complete", "complete by force", "release"];
      const openAt = (plan: string, worktree: string) => world.pawl.openSession({ plan, worktree });
      /** Two agents at work at once. Each holds its first claim, so their numbers are equal. */
      const twoSessions = async (...steps: StepSpec[]) => {
        const plan = await saved(STEP, { number: "2", tasks: ["c"] }, ...steps);
        const [first, second] = [await openAt(plan, "/a"), await openAt(plan, "/b")];
        const mine = { ...(await granted(plan, "/a", { session: first.id })), session: first.id };
        const other = { ...(await granted(plan, "/b", { session: second.id })), session: second.id };
        expect([mine.claim, other.claim]).toEqual([1, 1]);
        await world.pawl.start(other);
        return { plan, mine, other };
      };
      type Two = Awaited<ReturnType<typeof twoSessions>>;
      const IMPOSTORS: Readonly<Record<string, (two: Two) => Two["other"]>> = {
        "another session with an equal number": ({ mine, other }) => ({ ...other, session: mine.session }),
        "no session with the right number": ({ other }) => ({ ...other, session: undefined! }),
        "a session that is unknown": ({ other }) => ({ ...other, session: "s-unknown" }),
        "its own session without a number": ({ other }) => ({ ...other, claim: undefined! }),
        "its own session from another worktree": ({ other }) => ({ ...other, worktree: "/a" }),
      };

      it.each(Object.keys(IMPOSTORS).flatMap((who) => VERBS.map((verb) => [who, verb] as const)))(
        "against %s, in %s",
        async (who, verb) => {
          const two = await twoSessions();
          const before = await state(two.plan);
          const impostor = IMPOSTORS[who]!(two);
          expect(await outcomeOf(verbs(impostor)[verb as "start"]())).toBe("E049");
          expect(await state(two.plan)).toEqual(before);
        },
      );

      it("in substeps too", async () => {
        const { plan, mine, other } = await twoSessions({ number: "2.1", tasks: ["d"] });
        const before = await state(plan);
        const impostor = { ...other, step: "step-2-1", session: mine.session };
        for (const verb of ["start", "update", "artifact", "complete"] as const)
          expect(await outcomeOf(verbs(impostor)[verb]()), verb).toBe("E049");
        expect(await state(plan)).toEqual(before);
        expect(await outcomeOf(verbs({ ...other, step: "step-2-1" }).update())).toBe("ok");
      });

      it("in the writes themselves, whatever was read before them", async () => {
        const { plan, mine, other } = await twoSessions();
        const owner = (session: string, claim: number | null) => ({
          plan_path: plan,
          anchor: other.step,
          owner_anchor: other.step,
          worktree: "/b",
          worktree_id: "id of /b",
          claim,
          session_id: session,
        });
        const write = (params: ReturnType<typeof owner>) =>
          world.database.write(async (sql) => {
            const { now } = sql;
            const lease = { boot_id: "b", lease_uptime_ms: 1, lease_expires_at: now };
            const item = { kind: "task", ordinal: 0, status: "completed", reason: null };
            const record = { kind: "reviewer_verdict", summary: "fine", content: null };
            const intent = { number: 1, parent: null, message: "m", unverified: null };
            const end = { commit_hash: null, commit_ref: null, complete_reason: null };
            return [
              await sql.run(renewLease, { ...params, ...lease, now }),
              await sql.run(setItem, { ...params, ...item, now }),
              await sql.run(insertArtifact, { ...params, ...record, now }),
              await sql.run(openIntent, { ...params, ...intent, now }),
              await sql.run(markAwaitingVerification, { ...params, counts: 1, most: 3 }),
              await sql.run(rejectStep, params),
              await sql.run(completeStep, { ...params, ...end, now }),
              await sql.run(releaseStep, params),
              await sql.run(startStep, { ...params, now }),
            ];
          });
        const before = await state(plan);
        for (const params of [owner(mine.session, 1), owner("", 1), owner(other.session, null)])
          expect(await write(params)).toEqual(Array.from({ length: 9 }, () => 0));
        expect(await state(plan)).toEqual(before);
        // The last two do not fit a step that is completed.
        expect(await write(owner(other.session, 1))).toEqual([1, 1, 1, 1, 1, 1, 1, 0, 0]);
      });
    });

    it("also where there is nothing to update", async () => {
      const plan = await saved({ number: "1" });
      const old = await granted(plan, "/a");
      await granted(plan, "/b", { force: true });
      const lines = () => world.pawl.events({ plan });
      const before = (await lines()).length;
      expect(
        await outcomeOf(world.pawl.update({ ...old, changes: [{ all: true, status: "completed" }] })),
      ).toBe("E076");
      expect(
        await outcomeOf(
          world.pawl.update({
            plan,
            step: "step-1",
            worktree: "/stranger",
            changes: [{ all: true, status: "completed" }],
          }),
        ),
      ).toBe("E049");
      expect((await lines()).length).toBe(before);
    });

    it("from substeps too", async () => {
      const plan = await saved(STEP, { number: "1.1", tasks: ["c"] });
      const old = { ...(await granted(plan, "/a")), step: "step-1-1" };
      await granted(plan, "/b", { force: true });
      const before = await state(plan);
      for (const verb of ["start", "update", "artifact", "complete"] as const)
        expect(await outcomeOf(verbs(old)[verb]()), verb).toBe("E076");
      expect(await state(plan)).toEqual(before);
    });

    it("and lets no worker touch a substep that is finished, nor one that is on hold", async () => {
      const plan = await saved(STEP, { number: "1.1", tasks: ["c"] }, { number: "1.2", tasks: ["d"] });
      const who = await granted(plan, "/a");
      await world.pawl.start(who);
      await world.pawl.update({ ...who, step: "step-1-1", changes: [{ all: true, status: "completed" }] });
      await world.pawl.complete({ ...who, step: "step-1-1" });
      const refusedWith = async (step: string, code: string) => {
        const before = await state(plan);
        const changes = [{ all: true, status: "open" }] as const;
        expect(await outcomeOf(world.pawl.update({ ...who, step, changes })), step).toBe(code);
        const artifact = world.pawl.artifact({ ...who, step, kind: "auditor_summary", summary: "s" });
        expect(await outcomeOf(artifact), step).toBe(code);
        expect(await state(plan)).toEqual(before);
      };
      await refusedWith("step-1-1", "E050");
      // Holding a substep holds its step, which fences the worker off.
      await world.pawl.hold({ plan, step: "step-1-2" });
      await refusedWith("step-1-2", "E076");
    });

    it("but keeps what they bring, once per call, and nothing of strangers", async () => {
      const plan = await saved(STEP);
      const old = await granted(plan, "/a");
      await granted(plan, "/b", { force: true });
      await outcomeOf(world.pawl.complete({ ...old, requestId: `late ${plan}` }));
      await outcomeOf(world.pawl.complete({ ...old, requestId: `late ${plan}` }));
      await outcomeOf(world.pawl.complete({ ...old, worktree: "/stranger" }));
      await outcomeOf(world.pawl.complete({ plan, step: "step-1", worktree: "/stranger" }));
      expect(await late(plan)).toEqual([{ anchor: "step-1", claim: 1, worktree: "/a" }]);
    });

    it("and keeps it also when the step waits again by now", async () => {
      const plan = await saved({ number: "1" }, { number: "2", dependsOn: ["step-1"] });
      const first = await granted(plan, "/a");
      await world.pawl.start(first);
      await world.pawl.complete(first);
      const old = await granted(plan, "/a");
      await world.pawl.start(old);
      await world.pawl.reset({ plan, step: "step-2" });
      await world.pawl.reopen({ plan, step: "step-1", reason: "it broke" });
      expect(await outcomeOf(world.pawl.complete(old))).toBe("E076");
      expect(await late(plan)).toEqual([{ anchor: "step-2", claim: 1, worktree: "/a" }]);
    });

    const late = (plan: string) =>
      world.database.read((sql) =>
        sql.all(
          raw<object>("select anchor, claim, worktree from late_results where plan_path = :plan order by id"),
          { plan },
        ),
      );

    describe("with numbers that only rise", () => {
      /** Grants the step, does something to it, grants it again: the second number must be higher than the first. */
      const rises = async (plan: string, between: () => Promise<unknown>) => {
        const first = await granted(plan, "/a");
        await world.pawl.start(first);
        await between();
        const second = await granted(plan, "/a", { step: first.step });
        expect(second.claim).toBeGreaterThan(first.claim);
        expect(await outcomeOf(world.pawl.heartbeat(first)), "the old number").toBe("E076");
      };
      const reason = "a person says so";

      it.each([
        ["a release", (plan: string) => world.pawl.release({ plan, step: "step-1" })],
        ["a reset", (plan: string) => world.pawl.reset({ plan, step: "step-1" })],
        [
          "a hold and a retry",
          async (plan: string) => {
            await world.pawl.hold({ plan, step: "step-1" });
            await world.pawl.retry({ plan, step: "step-1" });
          },
        ],
        [
          "a completion and a reopening",
          async (plan: string) => {
            await world.pawl.complete({ plan, step: "step-1", worktree: "/a", forceReason: reason });
            await world.pawl.reopen({ plan, step: "step-1", reason });
          },
        ],
        ["reading the plan again", (plan: string) => world.pawl.reinit({ plan, discardProgress: true })],
        [
          "the step being taken out of the plan and put back",
          async (plan: string) => {
            const before = world.plans.get(plan)!;
            world.plans.set(plan, planText([{ number: "2" }]));
            await world.pawl.reinit({ plan });
            world.plans.set(plan, before);
            await world.pawl.reinit({ plan });
          },
        ],
        [
          "the plan being pruned and saved anew",
          async (plan: string) => {
            const before = world.plans.get(plan)!;
            await world.pawl.release({ plan, step: "step-1" });
            world.plans.delete(plan);
            await world.pawl.prune();
            world.plans.set(plan, before);
            await world.pawl.init({ plan });
          },
        ],
        [
          "the plan being restored from an older file",
          async (plan: string) => {
            // The file is from before the step was given to a worker and taken away again, twice.
            const { savedTo } = await world.pawl.reinit({ plan, discardProgress: true });
            for (const worktree of ["/b", "/c"]) {
              await granted(plan, worktree);
              await world.pawl.reset({ plan, step: "step-1" });
            }
            const last = await granted(plan, "/a");
            await world.pawl.reset({ plan, step: "step-1" });
            await world.pawl.restore({ path: savedTo! });
            const again = await granted(plan, "/a");
            expect(again.claim, "after the restore").toBeGreaterThan(last.claim);
          },
        ],
      ] as const)("over %s", async (_what, between) => {
        const plan = await saved(STEP, { number: "2" });
        await rises(plan, () => between(plan));
        const row = await stepRow(world.database, plan, "step-1");
        const events = await world.pawl.events({ plan, step: "step-1", after: 0, most: 1000 });
        const numbers = events
          .filter((line) => line.event === "claimed" || line.event === "reclaimed")
          .map((line) => line.claim!);
        expect(numbers, "in the journal").toEqual([...new Set(numbers)].toSorted((a, b) => a - b));
        expect(row.claim_seq).toBeGreaterThanOrEqual(Math.max(...numbers));
      });
    });
  });
}
