import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openNewSqlite } from "../../test/conformance/sqlite.ts";
import { openWorld, type ConformanceWorld } from "../../test/conformance/store.ts";
import { SMALL_PLAN } from "../../test/support/plans.ts";
import { type Pawl, pawlOn } from "../api.ts";
import type { Database, Sql } from "../platform/ports/database.ts";
import { asEntered, enter } from "./enter.ts";
import { openSession } from "./open-session.ts";
import { findSession } from "./sql/find-session.ts";
import { listRunningSessions } from "./sql/list-running-sessions.ts";

const PLAN = "plan.md";
const STEP = { plan: PLAN, step: "step-0" };

/** Verbs that decide by who is alive, called where a dead session holds the step. */
const WRITING: Readonly<Record<string, (pawl: Pawl, dead: string) => Promise<unknown>>> = {
  claim: (pawl) => pawl.claim({ plan: PLAN, worktree: "/other" }),
  reset: (pawl) => pawl.reset({ ...STEP, reason: "test" }),
  hold: (pawl) => pawl.hold({ ...STEP, reason: "test" }),
  abandonSession: (pawl, id) => pawl.abandonSession({ id }),
  gc: (pawl) => pawl.gc({}),
  newestLine: (pawl) => pawl.newestLine(),
};

describe("entering", () => {
  let world: ConformanceWorld;
  let dead: string;
  beforeEach(async () => {
    world = await openWorld(openNewSqlite);
    world.plans.set(PLAN, SMALL_PLAN);
    await world.pawl.init({ plan: PLAN });
    const worktree = { path: "/dead", id: "id of /dead" };
    const session = await openSession(world.ports, { plan: PLAN, worktree });
    await world.pawl.claim({ plan: PLAN, worktree: "/dead", session: session.id });
    dead = session.id;
    world.dead.add(dead);
  });
  afterEach(() => world.close());

  const statusOf = async (id: string) =>
    (await world.database.read((sql) => sql.get(findSession, { id })))?.status;

  /** Counts the committed transactions that record the end of a session. */
  function counting(database: Database): { readonly database: Database; readonly writes: () => number } {
    let writes = 0;
    return {
      database: {
        ...database,
        write: (work, how) =>
          database.write(async (sql) => {
            let isEnd = false;
            const run: Sql["run"] = (statement, params) => {
              isEnd ||= params["status"] === "interrupted";
              return sql.run(statement, params);
            };
            const answer = await work({ ...sql, run });
            if (isEnd) writes += 1;
            return answer;
          }, how),
      },
      writes: () => writes,
    };
  }

  for (const [verb, call] of Object.entries(WRITING))
    it(`records the end of a dead session once before ${verb} decides`, async () => {
      const { database, writes } = counting(world.database);
      await call(pawlOn({ ...world.ports, database: async () => database }), dead);
      expect([await statusOf(dead), writes()]).toEqual([
        verb === "abandonSession" ? "abandoned" : "interrupted",
        1,
      ]);
    });

  it("asks in the transaction of the read where no session is dead, and opens no other", async () => {
    await enter(world.ports);
    const asked: string[] = [];
    const read: Database["read"] = (work) =>
      world.database.read((sql) => {
        asked.push("read");
        const all: Sql["all"] = (statement, params) => {
          asked.push(statement === (listRunningSessions as object) ? "who runs" : "something else");
          return sql.all(statement, params);
        };
        return work({ ...sql, all });
      });
    const write: Database["write"] = () => Promise.reject(new Error("a reading verb writes"));
    const database = async () => ({ ...world.database, read, write });
    const entered = await asEntered({ ...world.ports, database }).database();
    expect(await entered.read(async (sql) => sql.get(findSession, { id: dead }))).toMatchObject({
      status: "interrupted",
    });
    expect(asked).toEqual(["read", "who runs"]);
  });

  it("lets what a read throws through, dead sessions or not", async () => {
    const entered = await asEntered(world.ports).database();
    const refused = () => entered.read(() => Promise.reject(new Error("no such step")));
    await expect(refused()).rejects.toThrow("no such step");
    await enter(world.ports);
    await expect(refused()).rejects.toThrow("no such step");
  });

  it("stops nothing and finishes nothing unless it is asked to, and ends are recorded first", async () => {
    const seen: (string | undefined)[] = [];
    const finish = async () => void seen.push(await statusOf(dead));
    expect(await enter(world.ports, { finish })).toEqual({ ended: [dead], stopped: [] });
    expect(seen).toEqual(["interrupted"]);
    expect(await enter(world.ports)).toEqual({ ended: [], stopped: [] });
  });
});
