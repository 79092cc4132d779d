import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { embeddedWorld, type EmbeddedWorld } from "../../test/support/embedded-world.ts";
import { renewLease } from "./sql/renew-lease.ts";

let world: EmbeddedWorld;
beforeAll(async () => {
  world = await embeddedWorld();
});
afterAll(() => world.close());

const LATE = "2030-01-01T00:00:00.000Z";
const EARLY = "2026-01-01T00:00:00.000Z";

async function claimed(columns: string): Promise<string> {
  const plan = await world.saved({ number: "1" }, { number: "1.1" });
  await world.pawl.claim({ plan, worktree: "/a" });
  for (const anchor of ["step-1", "step-1-1"]) await world.set(plan, anchor, columns);
  return plan;
}

const renew = (plan: string, expires = LATE) =>
  world.database.write((sql) =>
    sql.run(renewLease, {
      plan_path: plan,
      anchor: "step-1",
      owner_anchor: "step-1",
      worktree: "/a",
      worktree_id: "id of /a",
      claim: 1,
      session_id: null,
      boot_id: "boot-2",
      lease_uptime_ms: 5000,
      lease_expires_at: expires,
      now: sql.now,
    }),
  );

describe("a renewed lease", () => {
  it("counts from the uptime of this boot, however long the last boot ran", async () => {
    const plan = await claimed(`lease_boot_id = 'boot-1', lease_uptime_ms = 900000`);
    await renew(plan);
    expect(await world.step(plan, "step-1")).toMatchObject({
      lease_boot_id: "boot-2",
      lease_uptime_ms: 5000,
    });
  });

  it.each([
    [4000, 5000],
    [9000, 9000],
  ])("never gets shorter within a boot: from %i to %i", async (before, after) => {
    const plan = await claimed(`lease_boot_id = 'boot-2', lease_uptime_ms = ${before}`);
    await renew(plan);
    expect((await world.step(plan, "step-1")).lease_uptime_ms).toBe(after);
  });

  it("never ends earlier by the wall clock", async () => {
    const plan = await claimed(`lease_expires_at = '${LATE}'`);
    await renew(plan, EARLY);
    expect((await world.step(plan, "step-1")).lease_expires_at).toBe(LATE);
  });

  it("is also that of the substeps", async () => {
    const plan = await claimed(`lease_boot_id = 'boot-1', lease_uptime_ms = 1`);
    expect(await renew(plan)).toBe(2);
    expect((await world.step(plan, "step-1-1")).lease_uptime_ms).toBe(5000);
  });

  it("is none of a step that is over", async () => {
    const plan = await claimed(`lease_uptime_ms = 1`);
    await world.set(plan, "step-1-1", "status = 'in_progress', last_event = 'started'");
    await world.set(plan, "step-1-1", "status = 'completed', last_event = 'completed'");
    expect(await renew(plan)).toBe(1);
  });
});
