import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { embeddedWorld, type EmbeddedWorld } from "../../test/support/embedded-world.ts";
import { completeStep } from "./sql/complete-step.ts";
import { STEP_STATUSES } from "../domain/index.ts";
import type { Sql } from "../platform/ports/index.ts";
import { fenceStep } from "./sql/fence-step.ts";
import { markAwaitingVerification } from "./sql/mark-awaiting-verification.ts";
import type { OwnerParams } from "./sql/owner.ts";
import { rejectStep } from "./sql/reject-step.ts";
import { releaseStep } from "./sql/release-step.ts";
import { setItem } from "./sql/set-item.ts";
import { startStep } from "./sql/start-step.ts";
import { takeSubstep } from "./sql/take-substep.ts";

let world: EmbeddedWorld;
beforeAll(async () => {
  world = await embeddedWorld();
  // Rows are put together here; what the table of moves refuses is asked of it elsewhere.
  await world.run("drop trigger if exists steps_move");
});
afterAll(() => world.close());

/** A step with a substep, held by the worktree /a under number 1, with rows changed behind every verb's back. */
async function rows(step = "", substep = ""): Promise<string> {
  const plan = await world.saved({ number: "1", tasks: ["a"] }, { number: "1.1", tasks: ["b"] });
  await world.pawl.claim({ plan, worktree: "/a" });
  if (step !== "") await world.set(plan, "step-1", step);
  if (substep !== "") await world.set(plan, "step-1-1", substep);
  return plan;
}

const owner = (plan_path: string, anchor = "step-1", claim = 1) => ({
  plan_path,
  anchor,
  owner_anchor: "step-1",
  worktree: "/a",
  worktree_id: "id of /a",
  claim,
  session_id: null,
});

const NOW = "2026-11-15T12:00:00.000Z";
const DONE = { commit_hash: null, commit_ref: null, complete_reason: null, now: NOW };

describe("the owner's write", () => {
  const WRITES: readonly [string, (sql: Sql, who: OwnerParams) => Promise<number>, readonly string[]][] = [
    ["start", (sql, who) => sql.run(startStep, { ...who, now: NOW }), ["claimed"]],
    [
      "complete",
      (sql, who) => sql.run(completeStep, { ...who, ...DONE }),
      ["in_progress", "awaiting_verification"],
    ],
    ["release", (sql, who) => sql.run(releaseStep, who), ["claimed", "in_progress", "awaiting_verification"]],
    ["reject", (sql, who) => sql.run(rejectStep, who), ["awaiting_verification"]],
  ];

  it.each(WRITES)(
    "to %s counts only from where the verb begins, and only by its number",
    async (_, write, from) => {
      const changed: string[] = [];
      for (const status of STEP_STATUSES) {
        const run = async (claim: number) => {
          const who = owner(await rows(`status = '${status}'`), "step-1", claim);
          return world.database.write((sql) => write(sql, who));
        };
        if ((await run(1)) === 1) changed.push(status);
        expect([await run(0), await run(2)], status).toEqual([0, 0]);
      }
      expect(changed).toEqual(STEP_STATUSES.filter((status) => from.includes(status)));
    },
  );

  it.each([
    ["under way", "in_progress", 0, 1],
    ["with one attempt left", "in_progress", 2, 1],
    ["with no attempt left", "in_progress", 3, 0],
    ["only claimed", "claimed", 0, 0],
  ])("hands a step that is %s to verification: %#", async (_, status, attempts, changed) => {
    const plan = await rows(`status = '${status}', verification_attempts = ${attempts}`);
    const asked = { ...owner(plan), counts: 1, most: 3 };
    expect(await world.database.write((sql) => sql.run(markAwaitingVerification, asked))).toBe(changed);
  });

  it.each([
    ["claimed", 1],
    ["in_progress", 1],
    ["completed", 0],
    ["blocked", 0],
    ["on_hold", 0],
  ])("ticks an item of a substep that is %s: %d", async (status, changed) => {
    const plan = await rows("", `status = '${status}'`);
    const ticked = {
      ...owner(plan, "step-1-1"),
      kind: "task",
      ordinal: 0,
      status: "completed",
      reason: null,
    };
    const tick = (more: object) =>
      world.database.write((sql) => sql.run(setItem, { ...ticked, now: NOW, ...more }));
    expect([await tick({ kind: "test" }), await tick({ ordinal: 1 }), await tick({ claim: 0 })]).toEqual([
      0, 0, 0,
    ]);
    expect(await tick({})).toBe(changed);
    expect(await world.items(plan, "step-1")).toEqual(["open"]);
  });
});

describe("a step is fenced off", () => {
  it.each([
    ["from the session and number that were seen", {}, 1],
    ["never from another number", { claim: 2 }, 0],
    ["never from another session", { session_id: "s-2" }, 0],
    ["never in another plan", { plan_path: "other.md" }, 0],
    ["never under another name", { anchor: "step-1-1" }, 0],
  ])("%s", async (_, more, changed) => {
    const plan_path = await rows("session_id = 's-1'");
    const seen = { plan_path, anchor: "step-1", session_id: "s-1", claim: 1, ...more };
    expect(await world.database.write((sql) => sql.run(fenceStep, seen))).toBe(changed);
    expect((await world.step(plan_path, "step-1")).claim_seq).toBe(1 + changed);
  });
});

it("a substep goes with its step only while it is as it was seen", async () => {
  const plan_path = await rows("", "status = 'completed', claimed_by = '/earlier'");
  const take = (seen_status: "pending" | "completed") =>
    world.database.write((sql) =>
      sql.run(takeSubstep, {
        plan_path,
        anchor: "step-1-1",
        parent_anchor: "step-1",
        seen_status,
        event: "claimed",
      }),
    );
  expect([await take("pending"), (await world.step(plan_path, "step-1-1")).claimed_by]).toEqual([
    0,
    "/earlier",
  ]);
  expect([await take("completed"), (await world.step(plan_path, "step-1-1")).claimed_by]).toEqual([1, "/a"]);
});
