import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Holding, leaseIsOver, type LeaseClock } from "../../src/domain/claim.ts";
import { ownerIsGone } from "../../src/claims/choose-step.ts";
import { firstReclaimableStep } from "../../src/claims/sql/first-reclaimable-step.ts";
import type { StepRow } from "../../src/platform/rows.ts";
import { sharedServer } from "../postgres/shared-server.ts";
import { leases, moments } from "./leases.ts";
import { openNewPostgres } from "./postgres.ts";
import { type ConformanceWorld, openWorld, raw } from "./store.ts";

const shared = sharedServer();
let world: ConformanceWorld;
beforeAll(async () => {
  world = await openWorld(openNewPostgres(() => shared.url));
});
afterAll(() => world?.close());

const undo = new Error("undo");

/** What SQL and the domain say of many leases at one moment; all of it is taken back afterwards. */
async function judge(held: readonly Holding[], moment: LeaseClock) {
  const verdicts: { lease: Holding; sql: boolean; domain: boolean; over: boolean }[] = [];
  await world.database
    .write(async (sql) => {
      for (const id of ["running", "ended", "unknown"])
        await sql.run(
          raw(`insert into sessions (id, worktree, worktree_id, pid, process_started_at, boot_id, host_id, status, started_at)
               values (:id, '/w', 'w', 1, '1', 'x', 'x', 'in_progress', 'now')`),
          { id },
        );
      for (const [index, lease] of held.entries()) {
        const plan = `random-${index}`;
        await sql.run(
          raw(
            "insert into plans (plan_path, plan_hash, created_at, updated_at) values (:plan, 'h', 'now', 'now')",
          ),
          { plan },
        );
        await sql.run(
          raw(`insert into steps (plan_path, anchor, step_index, title, status, claimed_by, lease_expires_at, lease_boot_id, lease_uptime_ms, claimed_host, session_id)
               values (:plan, 's', 0, 't', 'claimed', '/w', :lease_expires_at, :lease_boot_id, :lease_uptime_ms, :claimed_host, :session_id)`),
          { plan, ...lease },
        );
      }
      await sql.run(raw("update sessions set status = 'completed' where id <> 'running'"), {});
      await sql.run(raw("delete from sessions where id = 'unknown'"), {});
      for (const [index, lease] of held.entries()) {
        const plan = `random-${index}`;
        const row = await sql.get(raw<StepRow>("select * from steps where plan_path = :plan"), { plan });
        const found = await sql.get(firstReclaimableStep, {
          plan_path: plan,
          host_id: moment.hostId,
          boot_id: moment.bootId,
          uptime_ms: moment.uptimeMs,
          now: moment.now,
        });
        verdicts.push({
          lease,
          sql: found !== undefined,
          domain: await ownerIsGone(sql, row!, moment),
          over: leaseIsOver(row!, moment),
        });
      }
      throw undo;
    })
    .catch((error: unknown) => {
      if (error !== undo) throw error;
    });
  return verdicts;
}

describe("the lease in the domain and in PostgreSQL's SQL", () => {
  test("agree on every row that may be there", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(leases, { minLength: 20, maxLength: 40 }), moments, async (held, moment) => {
        const verdicts = await judge(held, moment);
        expect(verdicts.filter(({ sql, domain }) => sql !== domain)).toEqual([]);
        expect(verdicts.filter(({ lease, sql, over }) => lease.session_id === null && sql !== over)).toEqual(
          [],
        );
      }),
      { numRuns: 25 },
    );
  });
});
