import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findPlanForClaim } from "../../src/claims/sql/find-plan-for-claim.ts";
import { firstOwnStep } from "../../src/claims/sql/first-own-step.ts";
import { firstReadyStep } from "../../src/claims/sql/first-ready-step.ts";
import { firstReclaimableStep } from "../../src/claims/sql/first-reclaimable-step.ts";
import type { Params, Statement } from "../../src/platform/ports/database.ts";
import { openSession } from "../../src/sessions/open-session.ts";
import { planText } from "../support/plans.ts";
import { type ConformanceWorld, openWorld, type OpenStore, raw } from "./store.ts";

const [FEW, MANY] = [10, 3000];

/** What a claim asks must not cost more, however many steps others hold. */
export function heldByOthersConformance(name: string, open: OpenStore): void {
  describe(`${name}, while others hold many steps`, () => {
    let world: ConformanceWorld;
    beforeAll(async () => {
      world = await openWorld(open);
      for (const held of [FEW, MANY]) {
        const plan = `held-${held}.md`;
        world.plans.set(
          plan,
          planText(Array.from({ length: MANY + 10 }, (_, index) => ({ number: String(index + 1) }))),
        );
        await world.pawl.init({ plan });
      }
    }, 120_000);
    afterAll(() => world.close());

    /** By hand and by sessions, on this machine and on others; every lease has a while to go. */
    const giveAway = (held: number) =>
      world.database.write(async (sql) => {
        const { hostId, bootId } = world.machine;
        const plan = `held-${held}.md`;
        const sessions = `insert into sessions (id, worktree, worktree_id, pid, process_started_at, boot_id, host_id, status, started_at)
          select plan_path || step_index, '/w', 'w', 1, '1', :boot, :host, 'in_progress', '2030'
            from steps where plan_path = :plan and step_index < :held and step_index % 2 = 1`;
        await sql.run(raw(sessions), { plan, held, boot: "elsewhere", host: "elsewhere" });
        await sql.run(
          raw(`update steps
                  set status = 'claimed', last_event = 'claimed', claim_seq = 1, claimed_by = '/site/' || step_index,
                      worktree_id = 'clone/' || step_index, lease_uptime_ms = :uptime, lease_expires_at = '2999',
                      claimed_host = case when step_index % 3 = 0 then :host else 'elsewhere' end,
                      lease_boot_id = case when step_index % 3 = 0 then :boot else 'elsewhere' end,
                      session_id = case when step_index % 2 = 1 then plan_path || step_index end
                where plan_path = :plan and step_index < :held`),
          { plan, held, host: hostId, boot: bootId, uptime: world.clock.uptime + 1_000_000 },
        );
      });

    const paramsOf = (held: number) => ({
      plan_path: `held-${held}.md`,
      host_id: world.machine.hostId,
      boot_id: world.machine.bootId,
      uptime_ms: world.clock.uptime,
      now: "2030-01-01T00:00:00.000Z",
      worktree: "/here",
      worktree_id: "id of /here",
      session_id: null,
    });

    /** Rows that a server visits; processor time where the engine runs in this process. */
    const cost = async (statement: Statement<never, unknown>, params: Params): Promise<number> =>
      world.database.read(async (sql) => {
        const { text } = statement;
        const only = Object.fromEntries(
          Object.entries(params).filter(([key]) => new RegExp(`:${key}\\b`).test(text)),
        );
        if (world.database.engine === "postgres") {
          const [row] = await sql.all(
            raw<Record<string, readonly { readonly Plan: PlanNode }[]>>(
              `explain (analyze, format json) ${text}`,
            ),
            only,
          );
          return 20 + visited(row!["QUERY PLAN"]![0]!.Plan);
        }
        const before = process.cpuUsage();
        for (let times = 0; times < 200; times += 1) await sql.get(raw(text), only);
        const { user, system } = process.cpuUsage(before);
        return (user + system) / 1000;
      });

    it("asks as much as if no worker did", { timeout: 120_000 }, async () => {
      for (const held of [FEW, MANY]) await giveAway(held);
      if (world.database.engine === "postgres")
        await world.database.write((sql) => sql.run(raw("analyze"), {}));
      for (const statement of [
        firstOwnStep,
        firstReadyStep,
        findPlanForClaim,
        firstReclaimableStep,
      ] as const) {
        let least = Number.POSITIVE_INFINITY;
        for (let tried = 0; tried < 6 && least > 3; tried += 1) {
          const few = await cost(statement as never, paramsOf(FEW));
          least = Math.min(least, (await cost(statement as never, paramsOf(MANY))) / few);
        }
        expect(least, statement.text).toBeLessThan(3);
      }
    });

    it("still finds the one step among them whose session ended, and leaves it to a session that is taken up again", async () => {
      const plan = "lost.md";
      world.plans.set(plan, planText([{ number: "1" }, { number: "2" }, { number: "3" }]));
      await world.pawl.init({ plan });
      const worktree = { path: "/s", id: "id of /s" };
      const session = await openSession(world.ports, { worktree });
      await world.pawl.claim({ plan, worktree: "/a" });
      const { anchor } = await world.pawl.claim({ plan, worktree: "/s", session: session.id });
      expect(anchor).toBe("step-2");
      const over = () =>
        world.database.read(async (sql) =>
          sql.get(
            raw<{ session_over: number | null }>("select session_over from steps where session_id = :id"),
            {
              id: session.id,
            },
          ),
        );
      const mark = (status: string) =>
        world.database.write((sql) =>
          sql.run(raw("update sessions set status = :status where id = :id"), { status, id: session.id }),
        );
      expect(await over()).toEqual({ session_over: null });
      await mark("interrupted");
      expect(await over()).toEqual({ session_over: 1 });
      await mark("in_progress");
      expect(await over()).toEqual({ session_over: null });
      await session.end("failed");
      expect(await over()).toEqual({ session_over: 1 });
      expect((await world.pawl.claim({ plan, worktree: "/b" })).anchor).toBe("step-2");
    });

    it("finds a step that a process of an earlier version gave to a session that was over", async () => {
      const { plan, session } = await heldBySession("given.md");
      await session.end("failed");
      await write("update steps set session_over = null where plan_path = :plan and anchor = 'step-1'", {
        plan,
      });
      await write("update steps set session_id = session_id where plan_path = :plan and anchor = 'step-1'", {
        plan,
      });
      expect((await world.pawl.claim({ plan, worktree: "/b" })).anchor).toBe("step-1");
    });

    it("leaves a step to its session that is marked as over and runs", async () => {
      const { plan } = await heldBySession("marked.md");
      await write("update steps set session_over = 1 where plan_path = :plan and anchor = 'step-1'", {
        plan,
      });
      expect((await world.pawl.claim({ plan, worktree: "/b" })).anchor).toBe("step-2");
    });

    const write = (text: string, params: Params) => world.database.write((sql) => sql.run(raw(text), params));

    async function heldBySession(plan: string) {
      world.plans.set(plan, planText([{ number: "1" }, { number: "2" }]));
      await world.pawl.init({ plan });
      const session = await openSession(world.ports, { worktree: { path: "/s", id: "id of /s" } });
      expect((await world.pawl.claim({ plan, worktree: "/s", session: session.id })).anchor).toBe("step-1");
      return { plan, session };
    }
  });
}

interface PlanNode {
  readonly "Actual Rows"?: number;
  readonly "Actual Loops"?: number;
  readonly "Rows Removed by Filter"?: number;
  readonly Plans?: readonly PlanNode[];
}

const visited = (node: PlanNode): number =>
  ((node["Actual Rows"] ?? 0) + (node["Rows Removed by Filter"] ?? 0)) * (node["Actual Loops"] ?? 0) +
  (node.Plans ?? []).reduce((sum, inner) => sum + visited(inner), 0);
