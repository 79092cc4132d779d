import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openNewSqlite } from "../../../test/conformance/sqlite.ts";
import { type ConformanceWorld, openWorld, stepRow } from "../../../test/conformance/store.ts";
import { SMALL_PLAN } from "../../../test/support/plans.ts";
import { pawlOn } from "../../api.ts";
import { journal } from "../../journal/journal.ts";
import type { Ports } from "../../platform/ports/ports.ts";
import { openSession } from "../../sessions/open-session.ts";
import { openCheckpoint } from "../../sessions/sql/open-checkpoint.ts";
import { observe } from "../observe/observe.ts";
import type { SeenOf } from "../rules/situation.ts";
import { freeAbandonedStep } from "./free-abandoned-step.ts";

const PLAN = "plan.md";
const HOUR = 3600 * 1000;

describe("a step that a session began", () => {
  let world: ConformanceWorld;
  let ports: Ports;
  let session: string;
  let stopped: string[];

  beforeEach(async () => {
    world = await openWorld(openNewSqlite);
    world.plans.set(PLAN, SMALL_PLAN);
    await world.pawl.init({ plan: PLAN });
    const worktree = { path: "/there", id: "id of /there" };
    stopped = [];
    const running = {
      ...(await world.ports.running()),
      supervisor: {
        ...(await world.ports.running()).supervisor,
        stopLeftOver: async ({ session: of }: { readonly session: string }) => {
          stopped.push(`${of}, ${(await stepRow(world.database, PLAN, "step-0")).status}`);
          return { stopped: [], left: [] };
        },
      },
    };
    ports = {
      ...world.ports,
      running: async () => running,
      snapshots: (async () => ({ take: async () => undefined })) as unknown as Ports["snapshots"],
    };
    session = (await openSession(ports, { plan: PLAN, worktree })).id;
    const { claim } = await world.pawl.claim({ plan: PLAN, worktree: "/there", session, start: true });
    await world.database.write((sql) =>
      sql.run(openCheckpoint, {
        ...NOTHING_ELSE,
        session_id: session,
        plan_path: PLAN,
        anchor: "step-0",
        claim,
        process: JSON.stringify({ session, bootId: world.machine.bootId }),
        now: sql.now,
      }),
    );
  });
  afterEach(() => world.close());

  const seen = async (): Promise<SeenOf<"step">> => {
    const all = await observe(ports, { plan: PLAN, withoutWorktrees: true });
    return all.find((one): one is SeenOf<"step"> => one.kind === "step")!;
  };
  const free = async (from: SeenOf<"step">) =>
    freeAbandonedStep(ports, from, { event: "released", because: "its owner is gone" });
  const status = async () => (await stepRow(world.database, PLAN, "step-0")).status;

  it("stays with it while it lives", async () => {
    await expect(free(await seen())).rejects.toMatchObject({ problem: "store/busy" });
    expect([await status(), stopped]).toEqual(["in_progress", []]);
  });

  it("is left as it is when it is not as it was seen any more", async () => {
    world.dead.add(session);
    const before = await seen();
    await pawlOn(ports).hold({ plan: PLAN, step: "step-0" });
    await expect(free(before)).rejects.toMatchObject({ problem: "store/busy" });
    expect(await status()).toBe("on_hold");
  });

  it("is freed once it is dead, after its agent was stopped", async () => {
    world.dead.add(session);
    await free(await seen());
    expect([await status(), stopped]).toEqual(["pending", [`${session}, in_progress`]]);
  });

  const activityAfter = async (ms: number) => {
    world.clock.wall += ms;
    return (await seen()).now.activity;
  };

  it("is stale after a day without a sign of life, and not before", async () => {
    expect(await activityAfter(24 * HOUR - 1000)).toBe("recent");
    expect(await activityAfter(1000)).toBe("stale");
  });

  it("is not kept alive by a repair that began, but by the decision to continue", async () => {
    const repair = (name: string) =>
      world.database.write((sql) =>
        journal(sql, { event: "repair-begun", plan: PLAN, anchor: "step-0", detail: { repair: name } }),
      );
    world.clock.wall += 25 * HOUR;
    await repair("reset");
    expect((await seen()).now.activity).toBe("stale");
    await repair("continue");
    expect((await seen()).now.activity).toBe("recent");
  });
});

const NOTHING_ELSE = {
  number: 1,
  iteration: 1,
  position: 0,
  command: "implement",
  type: "agent",
  agent: null,
  agent_session: null,
  spec_id: null,
  head_before: null,
  tree_before: null,
  log: "1",
  checked: null,
} as const;
