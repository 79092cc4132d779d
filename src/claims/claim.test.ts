import { afterAll, beforeAll, expect, it } from "vitest";
import { embeddedWorld, type EmbeddedWorld } from "../../test/support/embedded-world.ts";
import { complete } from "../steps/complete.ts";
import { hold } from "../steps/operate.ts";
import { reopen } from "../steps/reopen.ts";
import { start } from "../steps/start.ts";
import { claim } from "./claim.ts";
import { takeStep } from "./sql/take-step.ts";

let world: EmbeddedWorld;
beforeAll(async () => {
  world = await embeddedWorld();
});
afterAll(() => world.close());

const claimFor = (plan: string, path: string, more: object = {}) =>
  claim(world.ports, { plan, caller: world.caller(path), ...more });

const claimBySession = async (plan: string, path: string) => {
  const { id } = await world.pawl.openSession({ plan, worktree: path });
  const answer = await claim(world.ports, { plan, caller: world.caller(path, { session: id }) });
  return { ...answer, session: id };
};

it("hands out nothing that waits for a reopened step, though its owner is gone", async () => {
  const plan = await world.saved({ number: "1" }, { number: "2", dependsOn: ["step-1"] });
  await claimFor(plan, "/a", { start: true });
  await complete(world.ports, { plan, step: "step-1", caller: world.caller("/a") });
  expect((await claimFor(plan, "/a", { leaseSeconds: 60 })).anchor).toBe("step-2");
  await reopen(world.ports, { plan, step: "step-1", reason: "it broke" });
  expect((await claimFor(plan, "/b", { leaseSeconds: 3600 })).anchor).toBe("step-1");
  world.clock.uptime += 120_000;
  expect((await claimFor(plan, "/c")).anchor).toBe(null);
  expect((await claimFor(plan, "/c", { step: "step-2" })).anchor).toBe(null);
});

it("hands out no substep by itself and nothing that is held back, not even by force", async () => {
  const plan = await world.saved({ number: "1" }, { number: "2", dependsOn: ["step-1"] }, { number: "2.1" });
  await claimFor(plan, "/a", { start: true });
  expect((await claimFor(plan, "/b")).anchor).toBe(null);
  await complete(world.ports, { plan, step: "step-1", caller: world.caller("/a") });
  expect((await claimFor(plan, "/b", { leaseSeconds: 60 })).anchor).toBe("step-2");
  await reopen(world.ports, { plan, step: "step-1", reason: "it broke" });
  await hold(world.ports, { plan, step: "step-1", reason: "rain" });
  expect((await claimFor(plan, "/c", { force: true })).anchor).toBe(null);
  expect((await claimFor(plan, "/b")).anchor).toBe(null);
  world.clock.uptime += 120_000;
  expect((await claimFor(plan, "/c")).anchor).toBe(null);
});

it("hands out a step whose owner is gone before a free one behind it, and after a free one before it", async () => {
  const plan = await world.saved({ number: "1" }, { number: "2" }, { number: "3" });
  await claimFor(plan, "/a", { step: "step-2", leaseSeconds: 60 });
  world.clock.uptime += 120_000;
  expect((await claimFor(plan, "/b")).anchor).toBe("step-1");
  expect((await claimFor(plan, "/c")).anchor).toBe("step-2");
  expect((await claimFor(plan, "/d")).anchor).toBe("step-3");
});

it("records the death of a session first, then hands out its step and says whom it displaced", async () => {
  const plan = await world.saved({ number: "1" });
  const { session } = await claimBySession(plan, "/a");
  world.dead.add(session);
  const taken = await claimFor(plan, "/b", { requestId: "after a death" });
  expect(taken).toMatchObject({ anchor: "step-1", claim: 2, reclaimed: true });
  expect(taken.displaced).toEqual({ worktree: "/a", session, claim: 1 });
  // What had to happen first was no answer: only the claim is remembered under the request.
  expect(await claimFor(plan, "/b", { requestId: "after a death" })).toEqual(taken);
  const lines = (await world.pawl.events({ plan })).map(({ event }) => event);
  expect(lines.slice(-2)).toEqual(["session-interrupted", "reclaimed"]);
});

it("stops the agent that a former owner left running, also in the same worktree and before the start", async () => {
  const plan = await world.saved({ number: "1" });
  const first = await claimBySession(plan, "/a");
  await world.leaveAgent(first.session, plan, "step-1", 4711);
  world.dead.add(first.session);
  const again = await claimFor(plan, "/a");
  expect([again.anchor, again.displaced, again.started]).toEqual(["step-1", null, false]);
  expect(world.stopped).toContain(4711);
});

it("leaves the agents of other steps alone", async () => {
  const plan = await world.saved({ number: "1" }, { number: "2" });
  const first = await claimBySession(plan, "/a");
  await world.leaveAgent(first.session, plan, "step-1", 4712);
  world.dead.add(first.session);
  expect((await claimFor(plan, "/b", { step: "step-2" })).anchor).toBe("step-2");
  expect(world.stopped).not.toContain(4712);
});

it("continues after a step was lost in a worktree where nothing is left of it", async () => {
  const plan = await world.saved({ number: "1" }, { number: "2" });
  await claimFor(plan, "/lost");
  await claimFor(plan, "/winner", { step: "step-1", force: true });
  expect((await claimFor(plan, "/lost")).anchor).toBe("step-2");
});

it("refuses while files of a lost step are in the worktree, unless a person forces it", async () => {
  const plan = await world.saved({ number: "1" }, { number: "2" }, { number: "3" });
  await claimFor(plan, "/left");
  await claimFor(plan, "/winner", { step: "step-1", force: true });
  const ports = {
    ...world.ports,
    files: { ...world.ports.files, exists: () => true },
    commits: async () => ({ uncommitted: async () => ["src/left.ts"] }),
    snapshots: async () => ({ take: async () => undefined }),
  } as unknown as typeof world.ports;
  const ask = (more: object) => claim(ports, { plan, caller: world.caller("/left"), ...more });
  await expect(ask({})).rejects.toMatchObject({ problem: "desk/left-behind" });
  expect((await world.step(plan, "step-2")).status).toBe("pending");
  expect((await ask({ step: "step-2", force: true })).anchor).toBe("step-2");
});

it("refuses a worktree whose step a living session holds; by force it hands out the next one, and that one again", async () => {
  const plan = await world.saved({ number: "1" }, { number: "2" });
  const { session } = await claimBySession(plan, "/s");
  await expect(claimFor(plan, "/s")).rejects.toMatchObject({ problem: "claim/held-by-live-session" });
  expect((await claimFor(plan, "/s", { force: true })).anchor).toBe("step-2");
  // Its own step comes before that of the session, which comes first in the plan.
  expect((await claimFor(plan, "/s")).anchor).toBe("step-2");
  const again = { plan, caller: world.caller("/s", { session }) };
  expect((await claim(world.ports, again)).anchor).toBe("step-1");
});

it("gives a worktree with two steps the one that it can work on", async () => {
  const plan = await world.saved({ number: "1" }, { number: "2", dependsOn: ["step-1"] }, { number: "3" });
  await claimFor(plan, "/two", { start: true });
  await complete(world.ports, { plan, step: "step-1", caller: world.caller("/two") });
  await claimFor(plan, "/two", { step: "step-2" });
  await claimFor(plan, "/two", { step: "step-3" });
  await reopen(world.ports, { plan, step: "step-1", reason: "it broke" });
  expect((await claimFor(plan, "/two")).anchor).toBe("step-3");
});

it("is refused where a rival changed the step between the look and the write", async () => {
  const plan = await world.saved({ number: "1" });
  const { database } = world;
  const rivals = {
    ...world.ports,
    database: async () => ({
      ...database,
      write: ((work, how) =>
        database.write(
          (sql) =>
            work({
              ...sql,
              run: async (one, params) => (one.text === takeStep.text ? 0 : sql.run(one, params)),
            }),
          how,
        )) as typeof database.write,
    }),
  };
  await expect(claim(rivals, { plan, caller: world.caller("/a") })).rejects.toMatchObject({
    problem: "store/busy",
  });
  expect((await world.step(plan, "step-1")).status).toBe("pending");
});

it("takes unfinished substeps along, and leaves the items of finished ones", async () => {
  const plan = await world.saved(
    { number: "1" },
    { number: "1.1", tasks: ["a"] },
    { number: "1.2" },
    { number: "1.3" },
  );
  const { claim: number } = await claimFor(plan, "/a", { start: true });
  const caller = world.caller("/a", { claim: number! });
  for (const step of ["step-1-1", "step-1-2"]) await start(world.ports, { plan, step, caller });
  const ticked = { plan, step: "step-1-1", worktree: "/a", claim: number! };
  await world.pawl.update({ ...ticked, changes: [{ all: true, status: "completed" }] });
  await complete(world.ports, { plan, step: "step-1-1", caller });
  await world.set(plan, "step-1-2", "status = 'awaiting_verification', last_event = 'submitted'");
  await claimFor(plan, "/b", { step: "step-1", force: true });
  const owners = ["step-1-1", "step-1-2", "step-1-3"].map(async (anchor) => {
    const { status, claimed_by } = await world.step(plan, anchor);
    return [status, claimed_by];
  });
  expect(await Promise.all(owners)).toEqual([
    ["completed", "/a"],
    ["claimed", "/b"],
    ["claimed", "/b"],
  ]);
  expect(await world.items(plan, "step-1-1")).toEqual(["completed"]);
});

it.each([
  ["looks in git, once, where the former owner had begun to commit the step before it died", [1, 2], true],
  ["does not look in git where only an earlier claim had begun to", [1], false],
])("%s", async (_, intents, looks) => {
  const plan = await world.saved({ number: "1" });
  await claimFor(plan, "/a", { leaseSeconds: 60 });
  let asked = 0;
  const planCommits = async () => {
    asked += 1;
    return [];
  };
  const ports = { ...world.ports, git: { ...world.ports.git, planCommits } };
  const ask = (path: string) => claim(ports, { plan, caller: world.caller(path), leaseSeconds: 60 });
  const begin = (number: number) =>
    world.run(
      `insert into commit_intents (plan_path, anchor, claim, worktree, worktree_id, message, created_at)
       values (:plan, 'step-1', :number, '/a', 'id of /a', 'm', '2026-11-15T12:00:00.000Z')`,
      { plan, number },
    );
  for (const number of intents) await begin(number);
  expect([(await ask("/a")).claim, asked]).toEqual([2, 0]);
  world.clock.uptime += 120_000;
  expect([(await ask("/b")).claim, asked > 0]).toEqual([3, looks]);
});

it.each([
  ["the number and status that were seen", {}, 1],
  ["a number that rose since", { seen_claim: 0 }, 0],
  ["a number that was never given", { seen_claim: 2 }, 0],
  ["another status", { seen_status: "pending" as const }, 0],
])("takes a step from %s", async (_, seen, changed) => {
  const plan = await world.saved({ number: "1" });
  await claimFor(plan, "/a");
  const took = await world.database.write((sql) =>
    sql.run(takeStep, {
      plan_path: plan,
      anchor: "step-1",
      seen_status: "claimed",
      seen_claim: 1,
      event: "reclaimed",
      worktree: "/b",
      worktree_id: "id of /b",
      session_id: null,
      host_id: "host-1",
      boot_id: "boot-1",
      lease_uptime_ms: 0,
      lease_expires_at: sql.now,
      now: sql.now,
      ...seen,
    }),
  );
  expect(took).toBe(changed);
  expect((await world.step(plan, "step-1")).claim_seq).toBe(1 + changed);
});

it("gives ticks back to the worktree that earned them, and to no other", async () => {
  const plan = await world.saved({ number: "1", tasks: ["a", "b"] });
  const { claim: number } = await claimFor(plan, "/a");
  await world.pawl.update({
    plan,
    step: "step-1",
    worktree: "/a",
    claim: number!,
    changes: [
      { kind: "task", ordinal: 1, status: "completed" },
      { kind: "task", ordinal: 2, status: "in_progress" },
    ],
  });
  await claimFor(plan, "/a");
  expect(await world.items(plan, "step-1")).toEqual(["completed", "open"]);
  await claimFor(plan, "/b", { step: "step-1", force: true });
  expect(await world.items(plan, "step-1")).toEqual(["open", "open"]);
});

it("says of a long plan what is held or ready, however far down it stands, beside the first that wait", async () => {
  const waiting = Array.from({ length: 54 }, (_, index) => ({
    number: String(index + 2),
    dependsOn: ["step-1"],
  }));
  const plan = await world.saved(
    { number: "1" },
    ...waiting,
    { number: "56" },
    { number: "56.1" },
    { number: "57" },
    { number: "58" },
  );
  await hold(world.ports, { plan, step: "step-1" });
  await hold(world.ports, { plan, step: "step-58" });
  await claimFor(plan, "/a", { step: "step-56" });
  // As after a dependency was reopened: its owner holds it, and can do nothing with it.
  await claimFor(plan, "/c", { step: "step-57" });
  await world.set(plan, "step-57", "unmet_deps = 1");
  const answer = await claimFor(plan, "/b");
  const anchors = answer.waiting.map(({ anchor }) => anchor);
  expect([anchors.slice(0, 2), anchors.length]).toEqual([["step-1", "step-2"], 51]);
  expect(anchors.slice(50)).toEqual(["step-56"]);
});
