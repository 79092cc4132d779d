import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSession } from "../../src/sessions/open-session.ts";
import { beginAttempt, endAttempt, takeBack } from "../../src/runs/verify/attempt.ts";
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
  });
}
