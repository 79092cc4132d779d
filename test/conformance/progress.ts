import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSession } from "../../src/sessions/open-session.ts";
import type { Ports } from "../../src/platform/ports/ports.ts";
import { planProgress } from "../../src/views/plan-progress.ts";
import { planText } from "../support/plans.ts";
import { type ConformanceWorld, openWorld, type OpenStore } from "./store.ts";

const PLAN = "progress.md";

/** What is left of a plan while agents work on it. */
export function progressConformance(name: string, open: OpenStore): void {
  describe(`${name} estimates what is left`, () => {
    let world: ConformanceWorld;
    let isStopped = false;
    let stepMs: number | undefined;
    beforeAll(async () => {
      world = await openWorld(open);
      world.plans.set(
        PLAN,
        planText([
          { number: "1" },
          { number: "2" },
          { number: "3" },
          // Two ways lead from step-3 to step-6.
          { number: "4", dependsOn: ["step-3"] },
          { number: "5", dependsOn: ["step-3"] },
          { number: "6", dependsOn: ["step-4", "step-5"] },
          { number: "7" },
          { number: "8", dependsOn: ["step-7"] },
        ]),
      );
      await world.pawl.init({ plan: PLAN });
      for (const [index, step] of ["step-1", "step-2"].entries()) {
        const worktree = `/w${index}`;
        await world.pawl.claim({ plan: PLAN, worktree });
        await world.pawl.start({ plan: PLAN, step, worktree });
        world.clock.wall += 60_000;
        await world.pawl.complete({ plan: PLAN, step, worktree });
      }
    });
    afterAll(() => world.close());

    const ports = (): Ports => ({
      ...world.ports,
      processes: { ...world.ports.processes, isStopped: () => isStopped },
    });
    const left = async () => {
      const [seen] = await planProgress(ports(), { plan: PLAN });
      const { stepsStopped, stepsBlocked, stepsUnreachable, remainingMs } = seen!;
      // A server goes by its own clock, so a step takes what the first estimate says.
      stepMs ??= remainingMs! / 6;
      const rounds = remainingMs === null ? null : remainingMs / stepMs;
      return { stepsStopped, stepsBlocked, stepsUnreachable, rounds };
    };

    it("by the steps that need no person first", async () => {
      await openSession(ports(), {
        plan: PLAN,
        worktree: { path: "/w", id: "id of /w" },
        run: {
          runId: "r-1",
          kind: "run",
          workflow: "implement",
          agent: "command",
          branch: undefined,
          base: undefined,
          focus: undefined,
          configuration: "{}",
          logFolder: (session) => `/logs/${session}`,
        },
      });
      const none = { stepsStopped: 0, stepsBlocked: 0, stepsUnreachable: 0 };
      expect(await left()).toEqual({ ...none, rounds: 6 });
      expect(stepMs).toBeGreaterThan(0);
      // Step-4, step-5 and step-6 wait for it; each counts once.
      await world.pawl.hold({ plan: PLAN, step: "step-3", reason: "rain" });
      expect(await left()).toEqual({
        ...none,
        stepsBlocked: 1,
        stepsUnreachable: 3,
        rounds: 2,
      });
      await world.pawl.hold({ plan: PLAN, step: "step-7" });
      expect(await left()).toEqual({ ...none, stepsBlocked: 2, stepsUnreachable: 4, rounds: null });
      for (const step of ["step-3", "step-7"]) await world.pawl.retry({ plan: PLAN, step });
      expect(await left()).toEqual({ ...none, rounds: 6 });
    });

    it("and without what waits for a session that is stopped", async () => {
      const [session] = await world.pawl.listSessions({ status: "in_progress" });
      const { anchor } = await world.pawl.claim({ plan: PLAN, worktree: "/w", session: session!.id });
      expect(anchor).toBe("step-3");
      await world.pawl.claim({ plan: PLAN, worktree: "/w7" });
      expect(await left()).toMatchObject({ stepsStopped: 0, stepsUnreachable: 0, rounds: 3 });
      isStopped = true;
      expect(await left()).toMatchObject({ stepsStopped: 1, stepsUnreachable: 3, rounds: 2 });
    });
  });
}
