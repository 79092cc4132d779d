import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { takeStep } from "../../src/claims/sql/take-step.ts";
import type { Ports } from "../../src/platform/ports/ports.ts";
import { openSession } from "../../src/sessions/open-session.ts";
import { lastCheckpoint } from "../../src/sessions/sql/last-checkpoint.ts";
import { listLeftOvers } from "../../src/sessions/sql/list-left-overs.ts";
import { findLostGrant } from "../../src/steps/sql/find-lost-grant.ts";
import { planText } from "../support/plans.ts";
import { type ConformanceWorld, openWorld, type OpenStore, outcomeOf, raw, stepRow } from "./store.ts";

const DAY_MS = 86_400_000;

/** Conditions of statements that no verb shows in its main way: each test fails when one of them is left out. */
export function predicateConformance(name: string, open: OpenStore): void {
  describe(`${name} honours every condition`, () => {
    let world: ConformanceWorld;
    let plans = 0;
    beforeAll(async () => {
      world = await openWorld(open);
    });
    afterAll(() => world.close());

    const saved = async (...steps: Parameters<typeof planText>[0][number][]): Promise<string> => {
      const plan = `predicates-${(plans += 1)}.md`;
      world.plans.set(plan, planText(steps));
      await world.pawl.init({ plan });
      return plan;
    };
    const complete = async (plan: string, step: string, worktree: string) => {
      await world.pawl.start({ plan, step, worktree });
      await world.pawl.complete({ plan, step, worktree, forceReason: "for the test" });
    };
    const addSession = (id: string, status: string) =>
      world.database.write((sql) =>
        sql.run(
          raw(`insert into sessions (id, worktree, worktree_id, pid, process_started_at, boot_id, host_id, status, started_at)
               values (:id, '/w', :worktree_id, 1, '1', 'boot-1', 'host-1', :status, '2030')`),
          { id, status, worktree_id: `worktree of predicates` },
        ),
      );
    const addCheckpoint = (session: string, number: number, startedAt: string, plan: string) =>
      world.database.write((sql) =>
        sql.run(
          raw(`insert into checkpoints (session_id, number, plan_path, anchor, iteration, position, command, type, process, started_at)
               values (:session, :number, :plan, 'step-1', 1, 0, 'work', 'agent', '{}', :started_at)`),
          { session, number, plan, started_at: startedAt },
        ),
      );

    it("leaves a step alone whose owner is gone while what it waits for is open again", async () => {
      const plan = await saved({ number: "1" }, { number: "2", dependsOn: ["step-1"] });
      await world.pawl.claim({ plan, worktree: "/a" });
      await complete(plan, "step-1", "/a");
      expect((await world.pawl.claim({ plan, worktree: "/a" })).anchor).toBe("step-2");
      await world.pawl.reopen({ plan, step: "step-1", reason: "it broke" });
      world.clock.uptime += DAY_MS;
      expect((await world.pawl.claim({ plan, worktree: "/b" })).anchor).toBe("step-1");
      expect((await world.pawl.claim({ plan, worktree: "/c" })).anchor).toBe(null);
      await complete(plan, "step-1", "/b");
      expect((await world.pawl.claim({ plan, worktree: "/c" })).anchor).toBe("step-2");
    });

    it("takes a step only under the very number that was seen", async () => {
      const plan = await saved({ number: "1" });
      await world.pawl.claim({ plan, worktree: "/a" });
      await world.pawl.release({ plan, step: "step-1", worktree: "/a" });
      const { claim_seq, status } = await stepRow(world.database, plan, "step-1");
      expect(claim_seq).toBeGreaterThan(0);
      const take = (seen_claim: number) =>
        world.database.write((sql) =>
          sql.run(takeStep, {
            plan_path: plan,
            anchor: "step-1",
            seen_status: status,
            seen_claim,
            event: "claimed",
            worktree: "/b",
            worktree_id: "id of /b",
            session_id: null,
            host_id: "host-1",
            boot_id: "boot-1",
            lease_uptime_ms: 1,
            lease_expires_at: sql.now,
            now: sql.now,
          }),
        );
      expect(await take(claim_seq - 1)).toBe(0);
      expect(await take(claim_seq + 1)).toBe(0);
      expect(await take(claim_seq)).toBe(1);
    });

    it("renews the leases of substeps with that of their step", async () => {
      const plan = await saved({ number: "1" }, { number: "1.1" });
      await world.pawl.claim({ plan, worktree: "/a" });
      const before = await stepRow(world.database, plan, "step-1-1");
      world.clock.uptime += 1000;
      await world.pawl.heartbeat({ plan, step: "step-1", worktree: "/a" });
      const [step, substep] = [
        await stepRow(world.database, plan, "step-1"),
        await stepRow(world.database, plan, "step-1-1"),
      ];
      expect(substep.lease_uptime_ms).toBe(before.lease_uptime_ms! + 1000);
      expect(substep.lease_uptime_ms).toBe(step.lease_uptime_ms);
    });

    it("counts a lease by the new boot after a restart, and never shortens one within a boot", async () => {
      const plan = await saved({ number: "1" });
      await world.pawl.claim({ plan, worktree: "/a" });
      const { lease_uptime_ms: first } = await stepRow(world.database, plan, "step-1");
      const uptime = world.clock.uptime;
      world.clock.uptime -= 1000;
      await world.pawl.heartbeat({ plan, step: "step-1", worktree: "/a" });
      expect((await stepRow(world.database, plan, "step-1")).lease_uptime_ms).toBe(first);
      const rebooted = world.elsewhere({ ...world.machine, bootId: "boot-2" });
      await rebooted.heartbeat({ plan, step: "step-1", worktree: "/a" });
      expect(await stepRow(world.database, plan, "step-1")).toMatchObject({
        lease_boot_id: "boot-2",
        lease_uptime_ms: first! - 1000,
      });
      world.clock.uptime = uptime;
    });

    it.each(["reset", "retry", "reopen"] as const)("gives a step its attempts again by %s", async (verb) => {
      const plan = await saved({ number: "1" });
      await world.pawl.claim({ plan, worktree: "/a" });
      if (verb === "retry") await world.pawl.hold({ plan, step: "step-1", reason: "for the test" });
      await world.database.write((sql) =>
        sql.run(raw("update steps set verification_attempts = 2 where plan_path = :plan"), { plan }),
      );
      if (verb === "reopen") await complete(plan, "step-1", "/a");
      await world.pawl[verb]({ plan, step: "step-1", reason: "for the test" });
      expect((await stepRow(world.database, plan, "step-1")).verification_attempts).toBe(0);
    });

    it("keeps the end of a session that ended, whatever its process says later", async () => {
      const ports: Ports = world.ports;
      const session = await openSession(ports, { worktree: { path: "/s", id: "id of /s" } });
      const status = () =>
        world.database.read((sql) =>
          sql.get(raw<{ status: string }>("select status from sessions where id = :id"), { id: session.id }),
        );
      await session.end("completed");
      await session.interrupt({ type: "termination" });
      await outcomeOf(session.end("failed"));
      expect(await status()).toEqual({ status: "completed" });
    });

    it("finds the command that was reached last by its time, whatever number its session gave it", async () => {
      const plan = await saved({ number: "1" });
      await addSession("s-early", "completed");
      await addSession("s-late", "in_progress");
      await addCheckpoint("s-early", 7, "2030-01-01", plan);
      await addCheckpoint("s-late", 1, "2030-01-02", plan);
      const found = await world.database.read((sql) =>
        sql.get(lastCheckpoint, {
          plan_path: plan,
          anchor: "step-1",
          worktree_id: "worktree of predicates",
        }),
      );
      expect(found?.session_id).toBe("s-late");
    });

    it("finds commands that may still run of every session that is over, and of none that is not", async () => {
      const plan = await saved({ number: "1" });
      const statuses = ["completed", "failed", "interrupted", "abandoned", "in_progress"];
      for (const status of statuses) {
        await addSession(`left-${status}`, status);
        await addCheckpoint(`left-${status}`, 1, `2031-${status}`, plan);
      }
      const found = await world.database.read((sql) =>
        sql.all(listLeftOvers, {
          host_id: "host-1",
          everywhere: 0,
          session_id: null,
          worktree_id: null,
          plan_path: plan,
          anchor: "step-1",
        }),
      );
      expect(found.map(({ session_id }) => session_id).toSorted()).toEqual([
        "left-abandoned",
        "left-completed",
        "left-failed",
        "left-interrupted",
      ]);
    });

    it("knows a step as lost although an earlier claim of it was given back", async () => {
      const plan = await saved({ number: "1" });
      await world.pawl.claim({ plan, worktree: "/lost" });
      await world.pawl.release({ plan, step: "step-1", worktree: "/lost" });
      const second = await world.pawl.claim({ plan, worktree: "/lost" });
      const lost = () =>
        world.database.read((sql) =>
          sql.get(findLostGrant, { worktree: "/lost", besides_plan: null, besides_anchor: null }),
        );
      expect(await lost()).toBeUndefined();
      await world.pawl.claim({ plan, worktree: "/other", force: true });
      expect(await lost()).toEqual({ plan_path: plan, anchor: "step-1", claim: second.claim });
    });
  });
}
