import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSession } from "../../src/sessions/open-session.ts";
import { beginAttempt, endAttempt, takeBack } from "../../src/runs/verify/attempt.ts";
import { noteSpending } from "../../src/runs/work/checkpoint.ts";
import type { Worker } from "../../src/runs/work/worker.ts";
import { planText } from "../support/plans.ts";
import { type ConformanceWorld, openWorld, type OpenStore, stepRow } from "./store.ts";

/** What is counted against a step, also when the one who counts is killed. */
export function attemptConformance(name: string, open: OpenStore): void {
  describe(`${name} counts attempts`, () => {
    let world: ConformanceWorld;
    beforeAll(async () => {
      world = await openWorld(open);
    });
    afterAll(() => world.close());

    it("with their verdict, and never for what was cut off or could not be judged", async () => {
      const plan = "attempts.md";
      world.plans.set(plan, planText([{ number: "1" }]));
      await world.pawl.init({ plan });
      const session = await openSession(world.ports, { plan, worktree: { path: "/a", id: "id of /a" } });
      const { claim } = await world.pawl.claim({ plan, worktree: "/a", session: session.id, start: true });
      const held = { plan, anchor: "step-1", title: "One", claim: claim! };
      const seen = async () => {
        const { status, verification_attempts } = await stepRow(world.database, plan, "step-1");
        return [status, verification_attempts];
      };
      const looks: unknown[] = [];
      const write: typeof world.database.write = async (work, how) => {
        const result = await world.database.write(work, how);
        looks.push(await seen());
        return result;
      };
      const ports = { ...world.ports, database: async () => ({ ...world.database, write }) };
      // Only who and where count here.
      const worker = { ports, session } as unknown as Worker;
      await beginAttempt(worker, held, { tree: undefined, counts: true });
      await takeBack(worker, held);
      const attempt = await beginAttempt(worker, held, { tree: undefined, counts: true });
      await endAttempt(worker, held, attempt!, {
        outcome: "failed",
        because: "it did not pass",
        evidence: [],
        tree: "t",
      });
      expect(looks).toEqual([
        ["awaiting_verification", 0],
        ["in_progress", 0],
        ["awaiting_verification", 0],
        ["in_progress", 1],
      ]);
    });

    it("and what each of them used, in numbers that add up exactly", async () => {
      const plan = "usage.md";
      world.plans.set(plan, planText([{ number: "1" }]));
      await world.pawl.init({ plan });
      const session = await openSession(world.ports, { plan, worktree: { path: "/b", id: "id of /b" } });
      const { claim } = await world.pawl.claim({ plan, worktree: "/b", session: session.id, start: true });
      const held = { plan, anchor: "step-1", title: "One", claim: claim! };
      // Only who and where count here.
      const worker = { ports: world.ports, session } as unknown as Worker;
      const spend = (number: number, inputTokens: number, costMicros: number | null, position = 0) =>
        noteSpending(worker, held, number, {
          spent: { inputTokens, outputTokens: 1, costMicros },
          agent: "claude",
          position,
        });
      await spend(1, 1e12, 333_333);
      await spend(1, 1e12, 100_001);
      await beginAttempt(worker, held, { tree: undefined, counts: true });
      await spend(2, 5, null, -1);
      await takeBack(worker, held);
      await spend(3, 7, 200_002);
      const { attempts, usage } = await world.pawl.stepHistory({ plan, step: "step-1" });
      const total = { inputTokens: 1e12 + 12, outputTokens: 3, costUsd: 0.300003, unpricedTokens: 6 };
      expect(usage).toEqual(total);
      expect(attempts[0]!.usage).toMatchObject({ inputTokens: 1e12 + 5, costUsd: 0.100001 });
      expect((await world.pawl.show({ plan })).usage).toEqual(total);
      expect((await world.pawl.list()).find(({ planPath }) => planPath === plan)!.usage).toEqual(total);
      expect((await world.pawl.showSession({ id: session.id })).usage).toBeNull();
    });
  });
}
