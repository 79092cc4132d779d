import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Holding, leaseIsOver, type LeaseClock } from "../../src/domain/claim.ts";
import { toInstant } from "../../src/domain/instant.ts";
import { ownerIsGone } from "../../src/claims/choose-step.ts";
import { firstReclaimableStep } from "../../src/claims/sql/first-reclaimable-step.ts";
import type { StepRow } from "../../src/platform/rows.ts";
import { planText } from "../support/plans.ts";
import { leases, moments } from "./leases.ts";
import { openNewSqlite } from "./sqlite.ts";
import { type ConformanceWorld, openWorld, outcomeOf, raw } from "./store.ts";

/** A clock that is set must never give two owners one step, nor keep a step from every worker. */

const DAY = 86_400_000;
const LEASE_SECONDS = 3600;
const LEASE_MS = LEASE_SECONDS * 1000;
const JUMPS = {
  "no jump": 0,
  "a day back": -DAY,
  "a day forth": DAY,
  "ten years back": -3652 * DAY,
  "ten years forth": 3652 * DAY,
};
const SEED = process.env["PAWL_SEED"] === undefined ? {} : { seed: Number(process.env["PAWL_SEED"]) };

let world: ConformanceWorld;
let plans = 0;
beforeAll(async () => {
  world = await openWorld(openNewSqlite);
});
afterAll(() => world.close());

async function saved(steps = 1): Promise<string> {
  const plan = `clock-${(plans += 1)}.md`;
  world.plans.set(
    plan,
    planText(Array.from({ length: steps }, (_, index) => ({ number: String(index + 1) }))),
  );
  await world.pawl.init({ plan });
  world.machine.hostId = "host-1";
  world.machine.bootId = "boot-1";
  return plan;
}

const claim = (plan: string, worktree: string, more: object = {}) =>
  world.pawl.claim({ plan, worktree, leaseSeconds: LEASE_SECONDS, ...more });

describe.each(Object.entries(JUMPS))("when the wall clock makes %s", (_name, jump) => {
  it("a living owner keeps its step until its lease is over by uptime, and not longer", async () => {
    const plan = await saved();
    await claim(plan, "/a");
    world.clock.wall += jump;
    world.clock.uptime += LEASE_MS - 1;
    expect((await claim(plan, "/b")).claimed).toBe(false);
    world.clock.wall += jump;
    world.clock.uptime += 1;
    expect((await claim(plan, "/b")).anchor).toBe("step-1");
  });

  it("a heartbeat renews by uptime, and never shortens", async () => {
    const plan = await saved();
    const { claim: number } = await claim(plan, "/a");
    const who = { plan, step: "step-1", worktree: "/a", claim: number! };
    world.clock.wall += jump;
    world.clock.uptime += LEASE_MS - 1;
    await world.pawl.heartbeat({ ...who, leaseSeconds: LEASE_SECONDS });
    world.clock.uptime += 1000;
    world.clock.wall += jump;
    // A shorter one later changes nothing.
    await world.pawl.heartbeat({ ...who, leaseSeconds: 1 });
    world.clock.uptime += LEASE_MS - 1001;
    expect((await claim(plan, "/b")).claimed).toBe(false);
    world.clock.uptime += 1;
    expect((await claim(plan, "/b")).claimed).toBe(true);
  });

  it("a lease that is over but not taken can still be renewed, and a taken one cannot", async () => {
    const plan = await saved();
    const { claim: number } = await claim(plan, "/a");
    const who = { plan, step: "step-1", worktree: "/a", claim: number! };
    world.clock.uptime += 2 * LEASE_MS;
    world.clock.wall += jump;
    await world.pawl.heartbeat({ ...who, leaseSeconds: LEASE_SECONDS });
    expect((await claim(plan, "/b")).claimed).toBe(false);
    world.clock.uptime += LEASE_MS;
    world.clock.wall += jump;
    expect((await claim(plan, "/b")).claimed).toBe(true);
    expect(await outcomeOf(world.pawl.heartbeat(who))).toBe("E076");
  });

  it("people see the end of the lease by the clock they have", async () => {
    const plan = await saved();
    await claim(plan, "/a");
    world.clock.wall += jump;
    world.clock.uptime += 1000;
    const { waiting } = await claim(plan, "/b");
    expect(waiting[0]!.until).toBe(toInstant(world.clock.wall + LEASE_MS - 1000));
  });

  it("a reclaim by the owner itself starts a whole new lease", async () => {
    const plan = await saved();
    await claim(plan, "/a");
    world.clock.wall += jump;
    world.clock.uptime += LEASE_MS + 5;
    await claim(plan, "/a");
    world.clock.uptime += LEASE_MS - 1;
    expect((await claim(plan, "/b")).claimed).toBe(false);
  });

  it("an earlier boot of this machine has lost its steps at once", async () => {
    const plan = await saved();
    await claim(plan, "/a");
    world.machine.bootId = "boot-2";
    world.clock.wall += jump;
    world.clock.uptime = 5;
    expect((await claim(plan, "/b")).anchor).toBe("step-1");
  });

  it("an earlier boot of this machine has lost its sessions at once", async () => {
    const plan = await saved();
    const { id } = await world.pawl.openSession({ plan, worktree: "/a" });
    await claim(plan, "/a", { session: id });
    world.machine.bootId = "boot-2";
    world.clock.wall += jump;
    world.clock.uptime = 5;
    expect((await claim(plan, "/b")).anchor).toBe("step-1");
  });

  it("a living session keeps its step for ever", async () => {
    const plan = await saved();
    const { id } = await world.pawl.openSession({ plan, worktree: "/a" });
    await claim(plan, "/a", { session: id });
    world.clock.wall += jump;
    world.clock.uptime += 1000 * LEASE_MS;
    expect((await claim(plan, "/b")).claimed).toBe(false);
    world.dead.add(id);
    expect((await claim(plan, "/b")).claimed).toBe(true);
  });
});

describe("between machines", () => {
  it("the clock of the database decides", async () => {
    const plan = await saved();
    await claim(plan, "/a");
    const other = world.elsewhere({ hostId: "host-2", bootId: "boot-9" });
    world.clock.wall += LEASE_MS - 1;
    // The uptime of another machine says nothing.
    world.clock.uptime += 1000 * LEASE_MS;
    expect((await other.claim({ plan, worktree: "/b" })).claimed).toBe(false);
    world.clock.wall += 1;
    expect((await other.claim({ plan, worktree: "/b" })).claimed).toBe(true);
  });
});

// proves G-clock-robs-no-owner
describe("whatever happens to the wall clock", () => {
  type Move = { readonly kind: "claim" | "other" | "beat"; readonly uptime: number; readonly wall: number };
  const moves = fc.array(
    fc.record<Move>({
      kind: fc.constantFrom("claim", "other", "other", "beat"),
      uptime: fc.oneof(fc.nat(LEASE_MS + 1000), fc.constantFrom(0, 1, LEASE_MS - 1, LEASE_MS)),
      wall: fc.integer({ min: -70_000 * DAY, max: 3_000_000 * DAY }),
    }),
    { minLength: 1, maxLength: 12 },
  );

  it("no worker loses a step before its time, and none blocks after it", { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(moves, async (list) => {
        const plan = await saved();
        const start = Date.parse("2026-11-15T12:00:00.000Z");
        let ends = world.clock.uptime;
        let owner: string | undefined;
        let number = 0;
        for (const [index, { kind, uptime, wall }] of list.entries()) {
          world.clock.uptime += uptime;
          world.clock.wall = start + wall;
          const name = kind === "other" ? `/other-${index}` : (owner ?? "/first");
          const over = owner === undefined || world.clock.uptime >= ends;
          if (kind === "beat") {
            const beat = await outcomeOf(
              world.pawl.heartbeat({
                plan,
                step: "step-1",
                worktree: name,
                claim: number,
                leaseSeconds: LEASE_SECONDS,
              }),
            );
            expect(beat).toBe(owner === undefined ? "E050" : "ok");
            if (owner !== undefined) ends = Math.max(ends, world.clock.uptime + LEASE_MS);
            continue;
          }
          const answer = await claim(plan, name);
          expect(
            answer.claimed,
            `move ${index} by ${name}, held by ${owner} until ${ends}, now ${world.clock.uptime}`,
          ).toBe(over || name === owner);
          if (!answer.claimed) continue;
          expect(answer.claim).toBe((number += 1));
          owner = name;
          ends = world.clock.uptime + LEASE_MS;
        }
      }),
      { numRuns: 300, ...SEED },
    );
  });
});

describe("the lease in the domain and in SQL", () => {
  const undo = new Error("undo");
  /** One row with this lease: what SQL says of it, and what the domain does. */
  const judge = async (lease: Holding, moment: LeaseClock) => {
    let verdicts: { sql: boolean; domain: boolean; lease: boolean } | undefined;
    await world.database
      .write(async (sql) => {
        const put = (text: string, params: Record<string, string | number | null> = {}) =>
          sql.run(raw(text), params);
        await put(
          "insert into plans (plan_path, plan_hash, status, created_at, updated_at) values ('random', 'h', 'active', 'now', 'now')",
        );
        for (const id of ["running", "ended", "unknown"])
          await put(
            `insert into sessions (id, worktree, worktree_id, pid, process_started_at, boot_id, host_id, status, started_at, resumable)
             values (:id, '/w', 'w', 1, '1', 'x', 'x', 'in_progress', 'now', 0)`,
            { id },
          );
        await put(
          `insert into steps (plan_path, anchor, step_index, title, status, claimed_by, worktree_id, lease_expires_at, lease_boot_id, lease_uptime_ms, claimed_host, session_id)
           values ('random', 's', 0, 't', 'claimed', :claimed_by, :worktree_id, :lease_expires_at, :lease_boot_id, :lease_uptime_ms, :claimed_host, :session_id)`,
          { ...lease },
        );
        await put("update sessions set status = 'completed' where id <> 'running'");
        await put("delete from sessions where id = 'unknown'");
        const row = await sql.get(raw<StepRow>("select * from steps where plan_path = 'random'"), {});
        const found = await sql.get(firstReclaimableStep, {
          plan_path: "random",
          host_id: moment.hostId,
          boot_id: moment.bootId,
          uptime_ms: moment.uptimeMs,
          now: moment.now,
        });
        verdicts = {
          sql: found !== undefined,
          domain: await ownerIsGone(sql, row!, moment),
          lease: leaseIsOver(row!, moment),
        };
        throw undo;
      })
      .catch((error: unknown) => {
        if (error !== undo) throw error;
      });
    return verdicts!;
  };

  it("agree on every row that may be there", { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(leases, moments, async (lease, moment) => {
        const { sql, domain, lease: over } = await judge(lease, moment);
        expect(sql, "a step whose owner is gone").toBe(domain);
        if (lease.session_id === null) expect(sql, "a step of no session").toBe(over);
      }),
      { numRuns: 2000, ...SEED },
    );
  });
});
