import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Failure } from "../../src/domain/errors.ts";
import { openSession, reopenSession } from "../../src/sessions/open-session.ts";
import { showSession } from "../../src/sessions/session-view.ts";
import { enter } from "../../src/sessions/enter.ts";
import { cleanSessions } from "../../src/runs/end-sessions.ts";
import { worktreeUse } from "../../src/worktrees/worktree-use.ts";
import type { Ports } from "../../src/platform/ports/ports.ts";
import { SMALL_PLAN } from "../support/plans.ts";
import { type ConformanceWorld, openWorld, type OpenStore, raw } from "./store.ts";

const WORKTREE = { path: "/a", id: "id of /a" };
const RUN = {
  runId: "r-1",
  kind: "run",
  workflow: "implement",
  agent: "command",
  branch: undefined,
  base: undefined,
  focus: undefined,
  configuration: "{}",
  logFolder: (session: string) => `/logs/${session}`,
} as const;

/** How sessions begin and end, also when two processes look at one. */
export function sessionConformance(name: string, open: OpenStore): void {
  describe(`${name} keeps sessions`, () => {
    let world: ConformanceWorld;
    beforeAll(async () => {
      world = await openWorld(open);
    });
    afterAll(() => world.close());

    /** Another process on the same machine. */
    const process = (pid: number): Ports => ({
      ...world.ports,
      processes: { ...world.ports.processes, self: () => ({ pid, startedAt: `start of ${pid}` }) },
    });
    const begin = (ports: Ports) => openSession(ports, { worktree: WORKTREE, run: RUN });
    const statusOf = async (id: string) =>
      world.database.read(async (sql) => {
        const row = await sql.get(
          raw<{ status: string; pid: number }>("select status, pid from sessions where id = :id"),
          { id },
        );
        return [row?.status, row?.pid];
      });
    const eventsOf = (id: string) =>
      world.database.read(async (sql) => {
        const rows = await sql.all(
          raw<{ event: string }>("select event from events where session_id = :id order by id"),
          { id },
        );
        return rows.map(({ event }) => event);
      });

    it("and leaves one alone that was taken up again after it was found dead", async () => {
      const { id } = await begin(process(1));
      world.dead.add(id);
      const rival = process(2);
      let isFirst = true;
      const write: typeof world.database.write = async (work, how) => {
        if (isFirst) {
          isFirst = false;
          await enter(rival);
          world.dead.delete(id);
          const free = { ...rival, lifelines: { ...rival.lifelines, look: () => "free" as const } };
          await reopenSession(free, id, { worktree: WORKTREE });
        }
        return world.database.write(work, how);
      };
      const slow: Ports = { ...process(3), database: async () => ({ ...world.database, write }) };
      expect((await enter(slow)).ended).toEqual([]);
      expect(await statusOf(id)).toEqual(["in_progress", 2]);
      expect(await eventsOf(id)).toEqual(["session-opened", "session-interrupted", "session-resumed"]);
    });

    it("and ends each once, however many are late", async () => {
      const late = await begin(process(4));
      world.dead.add(late.id);
      await enter(process(5));
      world.dead.delete(late.id);
      const free: Ports = { ...process(6), lifelines: { ...world.ports.lifelines, look: () => "free" } };
      await reopenSession(free, late.id, { worktree: WORKTREE });
      await late.end("failed");
      expect(await statusOf(late.id)).toEqual(["in_progress", 6]);
      expect(await eventsOf(late.id)).toEqual(["session-opened", "session-interrupted", "session-resumed"]);
    });

    it("and lets no late process note anything on one that another process has by now", async () => {
      const forgotten: string[] = [];
      const forget = (id: string) => void forgotten.push(id);
      const seventh = process(7);
      const late = await begin({ ...seventh, lifelines: { ...seventh.lifelines, forget } });
      const row = () =>
        world.database.read((sql) => sql.get(raw("select * from sessions where id = :id"), { id: late.id }));
      world.dead.add(late.id);
      await enter(process(8));
      world.dead.delete(late.id);
      const free: Ports = { ...process(9), lifelines: { ...world.ports.lifelines, look: () => "free" } };
      await reopenSession(free, late.id, { worktree: WORKTREE });
      const before = await row();
      await late.pause("2030-01-01T00:00:00.000Z");
      await expect(late.moveTo({ path: "/b", id: "id of /b" })).rejects.toMatchObject({
        problem: "session/over",
      });
      await late.interrupt({
        type: "usage_limit",
        snapshotRef: "refs/pawl/snapshots/late",
        pausedUntil: "2030-01-01T00:00:00.000Z",
      });
      await late.noteSnapshot("refs/pawl/snapshots/later");
      expect(await row()).toEqual(before);
      expect(forgotten).toEqual([]);
      expect(await eventsOf(late.id)).toEqual(["session-opened", "session-interrupted", "session-resumed"]);
    });

    it("and abandons those that it can when one of them cannot be saved", async () => {
      const unreadable = { path: "/unreadable", id: "id of /unreadable" };
      const stuck = await openSession(process(11), { worktree: unreadable, run: RUN });
      await stuck.interrupt({ type: "termination" });
      const other = await openSession(process(12), { worktree: { path: "/b", id: "id of /b" }, run: RUN });
      await other.interrupt({ type: "termination" });
      const take = async ({ path }: { readonly path: string }) => {
        if (path === unreadable.path)
          throw new Failure("snapshot/unreadable", "secret.txt cannot be read.", {});
        return undefined;
      };
      const snapshots = (async () => ({ take })) as unknown as Ports["snapshots"];
      const { abandoned, kept } = await cleanSessions(
        { ...process(13), snapshots },
        { olderThanMs: -Number.MAX_VALUE },
      );
      expect(abandoned).toEqual([other.id]);
      expect(kept).toContainEqual({ id: stuck.id, because: "secret.txt cannot be read." });
      expect([await statusOf(stuck.id), await statusOf(other.id)]).toEqual([
        ["interrupted", 11],
        ["abandoned", 12],
      ]);
    });

    it("and reading verbs show a dead one as interrupted, and record nothing", async () => {
      const { pawl, ports, plans, database } = world;
      plans.set("read.md", SMALL_PLAN);
      await pawl.init({ plan: "read.md" });
      const place = { path: "/read", id: "id of /read" };
      const { id } = await openSession(process(21), { plan: "read.md", worktree: place, run: RUN });
      await pawl.claim({ plan: "read.md", worktree: "/read", session: id });
      world.dead.add(id);
      const rows = () =>
        database.read((sql) =>
          Promise.all([
            sql.all(raw<object>("select * from sessions order by id"), {}),
            sql.all(raw<object>("select * from steps order by plan_path, anchor"), {}),
            sql.all(raw<object>("select * from events order by id"), {}),
          ]),
        );
      const before = await rows();

      expect((await pawl.listSessions({ plan: "read.md" })).map(({ status }) => status)).toEqual([
        "interrupted",
      ]);
      expect((await pawl.showSession({ id })).status).toBe("interrupted");
      expect((await pawl.ready({ plan: "read.md" })).expiredClaim.map(({ anchor }) => anchor)).toEqual([
        "step-0",
      ]);
      expect((await pawl.show({ plan: "read.md" })).steps[0]).toMatchObject({ ownerGone: true });
      expect((await pawl.showAll()).length).toBeGreaterThan(0);
      expect((await pawl.explain({ plan: "read.md", step: "step-0" })).steps[0]?.because).toContain(
        "had claimed it (claim 1) and is gone.",
      );
      expect((await pawl.prime({ worktree: "/read" })).interrupted?.sessionId).toBe(id);
      expect((await worktreeUse(ports))(place).state).toBe("interrupted");
      expect(await rows()).toEqual(before);

      expect((await enter(ports)).ended).toEqual([id]);
      expect((await pawl.showSession({ id })).status).toBe("interrupted");
    });

    it("and shows what is stored where no process can record the end of one", async () => {
      const { id } = await begin(process(22));
      world.dead.add(id);
      const readOnly = new Failure("store/read-only", "the server only takes reads", {});
      const replica: Ports = {
        ...process(23),
        database: async () => ({ ...world.database, write: () => Promise.reject(readOnly) }),
      };
      expect((await showSession(replica, { id })).status).toBe("in_progress");
      expect((await enter(world.ports)).ended).toEqual([id]);
    });

    it("and lets go of one that it could not take up, so that another process can", async () => {
      const session = await begin(process(7));
      await session.interrupt({ type: "termination" });
      const held = new Set<string>();
      const lifelines: Ports["lifelines"] = {
        ...world.ports.lifelines,
        look: (id) => (held.has(id) ? "held" : "free"),
        hold(id) {
          held.add(id);
          return { letGo: () => void held.delete(id) };
        },
      };
      const full: typeof world.database.write = () => Promise.reject(new Error("the disk is full"));
      const unlucky: Ports = {
        ...process(8),
        lifelines,
        database: async () => ({ ...world.database, write: full }),
      };
      await expect(reopenSession(unlucky, session.id, { worktree: WORKTREE })).rejects.toThrow("full");
      const lucky: Ports = { ...process(9), lifelines };
      expect(await reopenSession(lucky, session.id, { worktree: WORKTREE })).toBeDefined();
      expect(await statusOf(session.id)).toEqual(["in_progress", 9]);
      expect(await reopenSession(process(10), session.id, { worktree: WORKTREE })).toBeUndefined();
    });
  });
}
