import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { embeddedWorld, type EmbeddedWorld } from "../../test/support/embedded-world.ts";
import { insertArtifact } from "./sql/insert-artifact.ts";
import type { OwnerParams } from "./sql/owner.ts";
import { startStep } from "./sql/start-step.ts";

let world: EmbeddedWorld;
beforeAll(async () => {
  world = await embeddedWorld();
});
afterAll(() => world.close());

const SESSION = "s-owner";

/** Whether a write counts whose caller says this, on a step whose row says that. */
async function counts(row: string, params: Partial<OwnerParams>, anchor = "step-1"): Promise<boolean> {
  const plan = await world.saved({ number: "1" }, { number: "1.1" });
  await world.pawl.claim({ plan, worktree: "/a" });
  if (row !== "") await world.set(plan, "step-1", row);
  const who: OwnerParams = {
    plan_path: plan,
    anchor,
    owner_anchor: "step-1",
    worktree: "/a",
    worktree_id: "id of /a",
    claim: 1,
    session_id: null,
    ...params,
  };
  return (
    (await world.database.write((sql) => sql.run(startStep, { ...who, now: sql.now }))) === 1 &&
    (await world.step(plan, anchor)).status === "in_progress"
  );
}

const BY_SESSION = `session_id = '${SESSION}'`;
const WITHOUT_ID = "worktree_id = null, claimed_by = '/a'";

describe("a write counts", () => {
  it.each([
    ["of the worktree and number that hold the step", "", {}, true],
    ["of the worktree without a number, for a claim by hand", "", { claim: null }, true],
    ["of an older number", "claim_seq = 2", { claim: 1 }, false],
    ["of a number that was never given", "", { claim: 2 }, false],
    ["of another worktree", "", { worktree: "/b", worktree_id: "id of /b" }, false],
    ["of another worktree at the same path", "", { worktree_id: "id of another" }, false],
    ["of the path alone, for a row without an id", WITHOUT_ID, { worktree_id: "any" }, true],
    ["of another path, for a row without an id", WITHOUT_ID, { worktree: "/b" }, false],
    ["of the session with its number", BY_SESSION, { session_id: SESSION }, true],
    ["of the session without its number", BY_SESSION, { session_id: SESSION, claim: null }, false],
    ["of the session with an older number", `${BY_SESSION}, claim_seq = 2`, { session_id: SESSION }, false],
    ["of another session with an equal number", BY_SESSION, { session_id: "s-other" }, false],
    ["of no session with an equal number, where a session holds it", BY_SESSION, {}, false],
    ["of a session that names itself, for a claim by hand", "", { session_id: SESSION }, true],
    ["of another plan", "", { plan_path: "another.md" }, false],
  ] as const)("%s: %#", async (_, row, params, expected) => {
    expect(await counts(row, params)).toBe(expected);
  });

  it("of the owner of a step on its substep, and of no other", async () => {
    expect(await counts("", {}, "step-1-1")).toBe(true);
    expect(await counts("claim_seq = 2", {}, "step-1-1")).toBe(false);
    expect(await counts(BY_SESSION, {}, "step-1-1")).toBe(false);
  });
});

describe("a note is left", () => {
  const noted = async (anchor: string, row: Readonly<Record<string, string>>) => {
    const plan = await world.saved({ number: "1" }, { number: "1.1" });
    await world.pawl.claim({ plan, worktree: "/a" });
    // The table of moves would refuse most of these; here they are only a way to put a row together.
    await world.run("drop trigger if exists steps_move");
    for (const [step, columns] of Object.entries(row)) await world.set(plan, step, columns);
    const note = { kind: "auditor_summary", summary: "s", content: null };
    const who = { owner_anchor: "step-1", worktree: "/a", worktree_id: "id of /a", claim: 1 };
    return world.database.write((sql) =>
      sql.run(insertArtifact, {
        plan_path: plan,
        anchor,
        ...who,
        session_id: null,
        ...note,
        now: sql.now,
      }),
    );
  };

  it("on a step that is held, and on its substep unless that is out of the work", async () => {
    expect(await noted("step-1", {})).toBe(1);
    expect(await noted("step-1-1", {})).toBe(1);
    for (const status of ["completed", "blocked", "on_hold"])
      expect(await noted("step-1-1", { "step-1-1": `status = '${status}'` }), status).toBe(0);
  });

  it("on no step that its owner lost, gave back or finished", async () => {
    for (const status of ["pending", "blocked", "on_hold", "completed"])
      expect(await noted("step-1-1", { "step-1": `status = '${status}'` }), status).toBe(0);
  });
});
