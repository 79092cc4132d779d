import { describe, expect, onTestFinished, test } from "vitest";
import type { Database } from "../../src/platform/ports/database.ts";
import type { TrailerEntry } from "../../src/platform/ports/git.ts";
import { type Pawl, pawlOn } from "../../src/api.ts";
import { openPostgres } from "../../src/platform/postgres/open-postgres.ts";
import { planText } from "../support/plans.ts";
import { plainWorld, type PlainWorld, testClock } from "../support/plain-world.ts";
import { problemsOnServer, rowsOf } from "./server-world.ts";
import { freshId, schemaOf, ownServer } from "./shared-server.ts";

const shared = ownServer();
const PLAN = "plan.md";
const ROUNDS = 12;

/** The second waits for the first; the third waits for both. */
const text = (words = "Work 1"): string =>
  planText([
    { number: "1" },
    { number: "2", dependsOn: ["step-1"] },
    { number: "3", dependsOn: ["step-1", "step-2"] },
  ]).replace("Work 1", words);

interface Arena extends PlainWorld {
  readonly database: Database;
  readonly schema: string;
}

async function arena(plan: string): Promise<Arena> {
  const id = freshId();
  const database = await openPostgres({ url: shared.url, repositoryId: id, create: true });
  const world = await plainWorld(database, testClock());
  onTestFinished(async () => {
    await database.close();
    world.remove();
  });
  world.plans.set(PLAN, plan);
  await world.pawl.init({ plan: PLAN });
  return { ...world, database, schema: schemaOf(id) };
}

function door(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

/** Verbs whose transactions stand still before they commit, until they are let go. */
function slowly({ ports, database }: Arena): {
  readonly pawl: Pawl;
  readonly reached: Promise<void>;
  readonly letGo: () => void;
} {
  const reached = door();
  const gate = door();
  const slow: Database = {
    ...database,
    write: (work) =>
      database.write(async (sql) => {
        const result = await work(sql);
        reached.open();
        await gate.opened;
        return result;
      }),
  };
  const pawl = pawlOn({ ...ports, database: async () => slow });
  return { pawl, reached: reached.opened, letGo: gate.open };
}

/** Until a transaction waits for another's lock. */
async function somebodyWaits(): Promise<void> {
  while ((await shared.ask("select 1 from pg_locks where not granted")).length === 0);
}

const codeOf = (outcome: PromiseSettledResult<unknown>): string =>
  outcome.status === "fulfilled"
    ? "ok"
    : ((outcome.reason as { code?: string }).code ?? String(outcome.reason));

/** Claims and starts the first step in `/a`; what its owner shows with `complete`. */
async function working({ pawl }: PlainWorld) {
  const { anchor, claim } = await pawl.claim({ plan: PLAN, worktree: "/a" });
  const who = { plan: PLAN, step: anchor!, worktree: "/a", claim: claim! };
  await pawl.start(who);
  return who;
}

describe("a claim beside another that has not committed yet", () => {
  test("gets the free step when the other takes one whose owner is gone", async () => {
    const world = await arena(planText([{ number: "1" }, { number: "2" }]));
    await world.pawl.claim({ plan: PLAN, worktree: "/lost", leaseSeconds: 60 });
    world.clock.uptime += 60_001;
    const slow = slowly(world);
    const first = slow.pawl.claim({ plan: PLAN, worktree: "/a" });
    await slow.reached;
    const second = await world.pawl.claim({ plan: PLAN, worktree: "/b" });
    slow.letGo();
    expect([(await first).anchor, second.anchor]).toEqual(["step-1", "step-2"]);
  });

  test("gets the free step when the other only continues its own", async () => {
    const world = await arena(planText([{ number: "1" }, { number: "2" }]));
    await world.pawl.claim({ plan: PLAN, worktree: "/a" });
    const slow = slowly(world);
    const first = slow.pawl.claim({ plan: PLAN, worktree: "/a" });
    await slow.reached;
    const second = await world.pawl.claim({ plan: PLAN, worktree: "/b" });
    slow.letGo();
    expect([(await first).anchor, second.anchor]).toEqual(["step-1", "step-2"]);
  });

  test("waits for the worker that holds all free steps still, and does not call that nothing", async () => {
    const world = await arena(text());
    const slow = slowly(world);
    const again = slow.pawl.reinit({ plan: PLAN });
    await slow.reached;
    const claimed = world.pawl.claim({ plan: PLAN, worktree: "/b" });
    await Promise.race([claimed, somebodyWaits()]);
    slow.letGo();
    await again;
    expect(await claimed).toMatchObject({ claimed: true, anchor: "step-1" });
  });
});

describe("complete beside another verb, again and again", () => {
  test("reconcile: the step is completed once, and counted down once", async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const world = await arena(text());
      const who = await working(world);
      const proof: TrailerEntry = {
        commit: "1".repeat(40),
        plan: PLAN,
        plans: [PLAN],
        steps: ["step-1"],
        claim: who.claim,
        claims: [who.claim],
        contents: [],
        signatures: [],
        committedAt: "2026-11-15T12:00:00.000Z",
        via: "trailer",
        revertedBy: undefined,
        ambiguous: undefined,
      };
      const reconciler = pawlOn({
        ...world.ports,
        git: { ...world.ports.git, planCommits: async () => [proof] },
      });
      const [completed, reconciled] = await Promise.allSettled([
        world.pawl.complete({ ...who, commit: "1".repeat(40) }),
        reconciler.reconcile({ plan: PLAN, trustUnsigned: true }),
      ]);
      expect(codeOf(reconciled)).toBe("ok");
      // Proved under its hands, the owner hears that its number is over, and what it brings is kept.
      expect(["ok", "E076"]).toContain(codeOf(completed));
      const { events, steps } = await rowsOf(shared.url, world.schema);
      const ends = events.filter(({ event }) => event === "completed" || event === "proved");
      expect(ends.map(({ event }) => event)).toEqual([codeOf(completed) === "ok" ? "completed" : "proved"]);
      const unmet = steps.map(({ anchor, unmet_deps }) => `${anchor} ${unmet_deps}`).toSorted();
      expect(unmet).toEqual(["step-1 0", "step-2 0", "step-3 1"]);
      expect(await problemsOnServer(shared.url, world.schema)).toEqual([]);
    }
  });

  test("re-init with another text: the completion stays in the journal, or its owner is refused", async () => {
    const seen = new Set<string>();
    for (let round = 0; round < ROUNDS; round += 1) {
      const world = await arena(text());
      const who = await working(world);
      const edited = pawlOn({
        ...world.ports,
        plans: {
          ...world.ports.plans,
          read: () => ({ bytes: Buffer.from(text("Other")), hash: `edited-${round}` }),
        },
      });
      const [completed, again] = await Promise.allSettled([
        world.pawl.complete(who),
        edited.reinit({ plan: PLAN }),
      ]);
      const codes = `${codeOf(completed)} ${codeOf(again)}`;
      seen.add(codes);
      // The plan changed under the worker (E048, or its number is over), or under the reader, who tries again (E080).
      expect(codes).toMatch(/^(?:ok ok|ok E\d{3}|E048 ok|E076 ok)$/);
      const { events, steps } = await rowsOf(shared.url, world.schema);
      const lines = events.filter(({ anchor }) => anchor === "step-1").map(({ event }) => event);
      expect(lines.includes("completed")).toBe(codeOf(completed) === "ok");
      const step = steps.find(({ anchor }) => anchor === "step-1");
      const stays = codeOf(completed) === "ok" && codeOf(again) !== "ok";
      expect(step?.["status"]).toBe(stays ? "completed" : "pending");
      expect(await problemsOnServer(shared.url, world.schema)).toEqual([]);
    }
    expect(seen.size).toBeGreaterThan(0);
  });

  test("prune: the plan goes whole, after its last step or not at all", async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const world = await arena(planText([{ number: "1" }]));
      const who = await working(world);
      const pruner = pawlOn({ ...world.ports, plans: { ...world.ports.plans, existsAnywhere: () => false } });
      const [completed, pruned] = await Promise.allSettled([world.pawl.complete(who), pruner.prune()]);
      expect(codeOf(completed)).toBe("ok");
      const rows = await rowsOf(shared.url, world.schema);
      const gone = pruned.status === "fulfilled" && pruned.value.pruned.length > 0;
      expect([rows.plans.length, rows.steps.length]).toEqual(gone ? [0, 0] : [1, 1]);
      if (!gone) expect(rows.steps[0]?.["status"]).toBe("completed");
      expect(rows.events.map(({ event }) => event)).toContain("completed");
      expect(await problemsOnServer(shared.url, world.schema)).toEqual([]);
      // No worker is in the way any more.
      if (!gone) expect((await pruner.prune()).pruned).toHaveLength(1);
    }
  });
});
