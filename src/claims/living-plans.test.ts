import { afterAll, beforeAll, expect, it } from "vitest";
import { embeddedWorld, type EmbeddedWorld } from "../../test/support/embedded-world.ts";
import { planText, type StepSpec } from "../../test/support/plans.ts";
import { raw } from "../../test/conformance/store.ts";
import { grow } from "../plans/growth/grow.ts";
import { saveAgain } from "../plans/save-again.ts";
import { stepSnapshot } from "../plans/step-snapshot.ts";
import { complete } from "../steps/complete.ts";
import { hold, retry } from "../steps/operate.ts";
import { reopen } from "../steps/reopen.ts";
import { release } from "../steps/release.ts";
import { update } from "../steps/update.ts";
import { claim } from "./claim.ts";

let world: EmbeddedWorld;
beforeAll(async () => {
  world = await embeddedWorld();
});
afterAll(() => world.close());

const edit = (plan: string, ...steps: StepSpec[]) => world.plans.set(plan, planText(steps));

const claimFor = (plan: string, path: string, more: object = {}) =>
  claim(world.ports, { plan, caller: world.caller(path), start: true, ...more });

const done = async (plan: string, path: string, step: string) => {
  await claimFor(plan, path, { step });
  await complete(world.ports, { plan, step, caller: world.caller(path) });
};

const statuses = (plan: string) =>
  world.database.read(async (sql) =>
    (
      await sql.all(
        raw<{ anchor: string; status: string; bound_to: string | null }>(
          "select anchor, status, bound_to from steps where plan_path = :plan order by step_index",
        ),
        { plan },
      )
    ).map(({ anchor, status, bound_to }) => `${anchor} ${status}${bound_to === null ? "" : " bound"}`),
  );

const decide = (plan: string, step: string, decision: "accept" | "begin-again") =>
  grow(world.ports, world.ports.plans.find(plan), new Map([[step, decision]]));

it("takes new steps over at the next claim, and says so in one line", async () => {
  const plan = await world.saved({ number: "1" });
  await done(plan, "/a", "step-1");
  edit(plan, { number: "1" }, { number: "2", tasks: ["new"] });
  const answer = await claimFor(plan, "/a");
  expect(answer.anchor).toBe("step-2");
  expect(answer.notes).toEqual([`${plan} changed: added step-2.`]);
  expect(await world.items(plan, "step-2")).toEqual(["open"]);
  expect((await claimFor(plan, "/a")).notes).toEqual([]);
});

it("takes over remarks, and the journal tells of each change", async () => {
  const plan = await world.saved({ number: "1" }, { number: "2" });
  world.plans.set(plan, `${world.plans.get(plan)!}\nA remark.\n`);
  expect((await claimFor(plan, "/a")).notes).toEqual([`${plan} changed: edited step-2.`]);
  const events = await world.database.read((sql) =>
    sql.all(
      raw<{ event: string }>("select event from events where plan_path = :plan and event = 'plan-grown'"),
      {
        plan,
      },
    ),
  );
  expect(events).toHaveLength(1);
});

it("lets steps that no worker has begun follow the plan: edited, removed, reordered", async () => {
  const plan = await world.saved(
    { number: "1" },
    { number: "2", tasks: ["a"] },
    { number: "3" },
    { number: "4" },
  );
  await claimFor(plan, "/a");
  edit(plan, { number: "4" }, { number: "1" }, { number: "2", title: "Other", tasks: ["a", "b"] });
  const answer = await claimFor(plan, "/b");
  expect(answer.anchor).toBe("step-4");
  expect(answer.notes).toEqual([`${plan} changed: edited step-2; removed step-3.`]);
  expect(await statuses(plan)).toEqual(["step-4 in_progress", "step-1 in_progress", "step-2 pending"]);
  expect(await world.items(plan, "step-2")).toEqual(["open", "open"]);
});

it("keeps a step in progress bound to the text it was claimed with, and its worker completes it", async () => {
  const plan = await world.saved({ number: "1", tasks: ["first"] }, { number: "2" });
  await claimFor(plan, "/a");
  edit(plan, { number: "1", tasks: ["first", "second"] }, { number: "2" }, { number: "3" });
  const answer = await claimFor(plan, "/b");
  expect(answer.anchor).toBe("step-2");
  expect(answer.notes).toEqual([
    `${plan} changed: added step-3. 1 step waits for a decision about an edit: step-1 (\`pawl recover ${plan}\`).`,
  ]);
  const text = await world.database.read((sql) => stepSnapshot(sql, { plan, anchor: "step-1" }));
  expect(text?.content).not.toContain("second");
  const changes = [{ all: true as const, status: "completed" }];
  await update(world.ports, { plan, step: "step-1", caller: world.caller("/a"), changes });
  await complete(world.ports, { plan, step: "step-1", caller: world.caller("/a") });
  expect((await claimFor(plan, "/a")).anchor).toBe("step-3");
  expect(await statuses(plan)).toEqual([
    "step-1 completed bound",
    "step-2 in_progress",
    "step-3 in_progress",
  ]);
});

it("hands out no step whose owner is gone and whose text was edited; it waits for a decision", async () => {
  const plan = await world.saved({ number: "1" }, { number: "2" });
  await claimFor(plan, "/a", { leaseSeconds: 60 });
  edit(plan, { number: "1", title: "Other" }, { number: "2" });
  world.clock.uptime += 120_000;
  expect((await claimFor(plan, "/b")).anchor).toBe("step-2");
  const nothing = await claimFor(plan, "/c");
  expect(nothing.anchor).toBe(null);
  expect(nothing.waiting.find(({ anchor }) => anchor === "step-1")?.reason).toBe("edited");
});

it("gives a released step its new text", async () => {
  const plan = await world.saved({ number: "1" }, { number: "2" });
  await claimFor(plan, "/a");
  edit(plan, { number: "1", title: "Other" }, { number: "2" });
  await claimFor(plan, "/b");
  await release(world.ports, { plan, step: "step-1", caller: world.caller("/a") });
  const answer = await claimFor(plan, "/a");
  expect([answer.anchor, answer.title]).toEqual(["step-1", "Other"]);
});

it("never hands out a completed step again that was edited or removed, until a person decides", async () => {
  const plan = await world.saved({ number: "1" }, { number: "2" }, { number: "3" });
  await done(plan, "/a", "step-1");
  await done(plan, "/a", "step-2");
  edit(plan, { number: "1", title: "Other" }, { number: "3" });
  expect((await claimFor(plan, "/a")).anchor).toBe("step-3");
  expect(await statuses(plan)).toEqual([
    "step-1 completed bound",
    "step-3 in_progress",
    "step-2 completed bound",
  ]);
  await decide(plan, "step-2", "accept");
  expect(await statuses(plan)).toEqual(["step-1 completed bound", "step-3 in_progress"]);
  await decide(plan, "step-1", "accept");
  expect(await statuses(plan)).toEqual(["step-1 completed", "step-3 in_progress"]);
  expect((await world.step(plan, "step-1")).title).toBe("Other");
});

it("begins an edited step again with its new text when a person says so", async () => {
  const plan = await world.saved({ number: "1", tasks: ["a"] });
  await claimFor(plan, "/a");
  const changes = [{ all: true as const, status: "completed" }];
  await update(world.ports, { plan, step: "step-1", caller: world.caller("/a"), changes });
  await complete(world.ports, { plan, step: "step-1", caller: world.caller("/a") });
  edit(plan, { number: "1", tasks: ["a", "b"] });
  await decide(plan, "step-1", "begin-again");
  expect(await statuses(plan)).toEqual(["step-1 pending"]);
  expect(await world.items(plan, "step-1")).toEqual(["open", "open"]);
});

it("settles an edit that is undone, without a decision", async () => {
  const plan = await world.saved({ number: "1" }, { number: "2" });
  await done(plan, "/a", "step-1");
  const text = world.plans.get(plan)!;
  edit(plan, { number: "2" });
  await claimFor(plan, "/a");
  expect(await statuses(plan)).toEqual(["step-2 in_progress", "step-1 completed bound"]);
  world.plans.set(plan, text);
  await claimFor(plan, "/b");
  expect(await statuses(plan)).toEqual(["step-1 completed", "step-2 in_progress"]);
});

it("takes progress along when steps are renumbered", async () => {
  const plan = await world.saved(
    { number: "1", title: "A" },
    { number: "2", title: "B" },
    { number: "3", title: "C" },
  );
  await done(plan, "/a", "step-1");
  await claimFor(plan, "/b", { step: "step-2" });
  edit(
    plan,
    { number: "1", title: "New" },
    { number: "2", title: "A" },
    { number: "3", title: "B" },
    { number: "4", title: "C" },
  );
  // B is held as step-2, so A cannot be called that yet.
  await claimFor(plan, "/c");
  expect(await statuses(plan)).toEqual([
    "step-1 completed bound",
    "step-2 in_progress bound",
    "step-4 in_progress",
  ]);
  await complete(world.ports, { plan, step: "step-2", caller: world.caller("/b") });
  const answer = await claimFor(plan, "/b");
  expect([answer.anchor, answer.title]).toEqual(["step-1", "New"]);
  expect(await statuses(plan)).toEqual([
    "step-1 in_progress",
    "step-2 completed",
    "step-3 completed",
    "step-4 in_progress",
  ]);
  expect((await world.step(plan, "step-2")).title).toBe("A");
});

it("follows a step in progress through one edit after the other: rewritten, renumbered, rewritten again", async () => {
  const plan = await world.saved({ number: "1", title: "Paint by hand" }, { number: "2", title: "Roof" });
  await claimFor(plan, "/a");
  const roof = { number: "2", title: "Roof" };
  edit(plan, { number: "1", title: "Cover everything in white lime" }, roof);
  expect((await claimFor(plan, "/b")).anchor).toBe("step-2");
  edit(plan, { number: "7", title: "Cover everything in white lime" }, roof);
  expect((await claimFor(plan, "/c")).anchor).toBe(null);
  edit(plan, { number: "8", title: "Cover everything in white lime twice" }, roof);
  expect((await claimFor(plan, "/c")).anchor).toBe(null);
  // Its first name is free for other work, which is not taken for it.
  edit(plan, { number: "8", title: "Cover everything in white lime twice" }, roof, {
    number: "1",
    title: "Dig a well",
  });
  expect((await claimFor(plan, "/c")).anchor).toBe(null);
  expect(await statuses(plan)).toEqual(["step-1 in_progress bound", "step-2 in_progress"]);
  await complete(world.ports, { plan, step: "step-1", caller: world.caller("/a") });
  await decide(plan, "step-1", "accept");
  expect(await statuses(plan)).toEqual(["step-8 completed", "step-2 in_progress", "step-1 pending"]);
});

it("a step of an ordered list waits for all that is open before it, also past one done out of order", async () => {
  const list = "in-order.md";
  const text = "# List\n\n- [ ] dig\n- [x] build\n- [ ] paint\n- [ ] sell\n";
  world.plans.set(list, text);
  await world.pawl.init({ plan: list });
  const { anchor: first } = await claimFor(list, "/a");
  const [dig, build, paint] = (await statuses(list)).map((line) => line.split(" ")[0]!);
  expect(first).toBe(dig);
  const second = await claimFor(list, "/b");
  expect(second.claimed).toBe(false);
  expect(second.waiting.find(({ anchor }) => anchor === paint)?.blockedBy).toEqual([dig]);
  world.plans.set(list, text.replace("- [x] build", "- [ ] dry\n- [x] build"));
  expect((await claimFor(list, "/b")).waiting.find(({ anchor }) => anchor === paint)?.blockedBy).toEqual([
    "dry",
  ]);
  await complete(world.ports, { plan: list, step: dig!, caller: world.caller("/a") });
  expect(await statuses(list)).toContain(`${build} completed`);
  expect((await claimFor(list, "/b")).anchor).toBe("dry");
  await complete(world.ports, { plan: list, step: "dry", caller: world.caller("/b") });
  expect((await claimFor(list, "/b")).anchor).toBe(paint);
});

it("a reopened step of an ordered list is done before everything behind it that is not begun", async () => {
  const list = "reopened.md";
  world.plans.set(list, "# List\n\n- [x] dig\n- [x] build\n- [ ] paint\n- [ ] sell\n");
  await world.pawl.init({ plan: list });
  const [dig, , paint, sell] = (await statuses(list)).map((line) => line.split(" ")[0]!);
  await reopen(world.ports, { plan: list, step: dig!, reason: "it fell in" });
  expect((await claimFor(list, "/a")).anchor).toBe(dig);
  expect((await claimFor(list, "/b")).waiting).toMatchObject([
    { anchor: dig },
    { anchor: paint, blockedBy: [dig] },
    { anchor: sell, blockedBy: [paint] },
  ]);
  await complete(world.ports, { plan: list, step: dig!, caller: world.caller("/a") });
  expect((await claimFor(list, "/a")).anchor).toBe(paint);
});

it("does not keep a new step that depends on an edited completed one waiting for the decision", async () => {
  const plan = await world.saved({ number: "1" });
  await done(plan, "/a", "step-1");
  edit(plan, { number: "1", tasks: ["more"] }, { number: "2", dependsOn: ["step-1"] });
  const answer = await claimFor(plan, "/a");
  expect(answer.anchor).toBe("step-2");
  expect(await statuses(plan)).toEqual(["step-1 completed bound", "step-2 in_progress"]);
});

it("continues with the last readable text while the plan is broken", async () => {
  const plan = await world.saved({ number: "1" }, { number: "2" });
  const text = world.plans.get(plan)!;
  world.plans.set(plan, "no plan at all\n");
  const answer = await claimFor(plan, "/a");
  expect(answer.anchor).toBe("step-1");
  expect(answer.notes[0]).toMatch(/cannot be read, so its last readable text counts/);
  world.plans.set(plan, text);
  expect((await claimFor(plan, "/b")).notes).toEqual([]);
});

it("does not let a step that is put before a held one get in its way", async () => {
  const plan = await world.saved({ number: "1" }, { number: "2", dependsOn: ["step-1"] });
  await done(plan, "/a", "step-1");
  await claimFor(plan, "/a");
  edit(plan, { number: "1" }, { number: "9" }, { number: "2", dependsOn: ["step-1"] });
  expect((await claimFor(plan, "/b")).anchor).toBe("step-9");
  await complete(world.ports, { plan, step: "step-2", caller: world.caller("/a") });
  expect(await statuses(plan)).toEqual(["step-1 completed", "step-9 in_progress", "step-2 completed"]);
});

it("knows a completed step that has other words, another name and another place, and waits", async () => {
  const plan = await world.saved({ number: "1", title: "Paint the wall" }, { number: "2", title: "Roof" });
  await done(plan, "/a", "step-1");
  edit(
    plan,
    { number: "1", title: "Dig a well" },
    { number: "2", title: "Roof" },
    { number: "3", title: "Paint the wall twice", tasks: ["north", "south"] },
  );
  expect((await claimFor(plan, "/b")).anchor).toBe("step-2");
  expect(await statuses(plan)).toEqual(["step-2 in_progress", "step-1 completed bound"]);
  await decide(plan, "step-1", "accept");
  expect(await statuses(plan)).toEqual(["step-1 pending", "step-2 in_progress", "step-3 completed"]);
});

const heldWith = (plan: string, anchor: string) =>
  world.step(plan, anchor).then(({ status, block_note }) => [status, block_note]);

it("frees a step that was on hold for a substep which the plan has no longer", async () => {
  const plan = await world.saved({ number: "1" }, { number: "1.1" }, { number: "1.2" });
  await hold(world.ports, { plan, step: "step-1-2", reason: "rain" });
  edit(plan, { number: "1" }, { number: "1.1" });
  const answer = await claimFor(plan, "/a");
  expect(answer.anchor).toBe("step-1");
  expect(answer.notes).toEqual([`${plan} changed: edited step-1.`]);
  const [last] = await world.database.read((sql) =>
    sql.all(
      raw<{ detail: string }>(
        "select detail from events where plan_path = :plan and anchor = 'step-1' and event = 'retried'",
      ),
      { plan },
    ),
  );
  expect(last?.detail).toContain("no substep of it is on hold");
});

it("also where the plan is read again by force", async () => {
  const plan = await world.saved({ number: "1" }, { number: "1.1" }, { number: "1.2" });
  await hold(world.ports, { plan, step: "step-1-2" });
  edit(plan, { number: "1" }, { number: "1.1" });
  await saveAgain(world.ports, { plan });
  expect((await claimFor(plan, "/a")).anchor).toBe("step-1");
});

it("keeps it on hold while another substep is, and says which", async () => {
  const plan = await world.saved({ number: "1" }, { number: "1.1" }, { number: "1.2" }, { number: "1.3" });
  await hold(world.ports, { plan, step: "step-1-2", reason: "rain" });
  await hold(world.ports, { plan, step: "step-1-3", reason: "snow" });
  edit(plan, { number: "1" }, { number: "1.1" }, { number: "1.3" });
  expect((await claimFor(plan, "/a")).anchor).toBe(null);
  expect(await heldWith(plan, "step-1")).toEqual(["on_hold", "its substep step-1-3 is on hold: snow"]);
  await retry(world.ports, { plan, step: "step-1-3" });
  expect(await heldWith(plan, "step-1")).toEqual(["pending", null]);
});

it("a substep on hold stays so under another number", async () => {
  const plan = await world.saved(
    { number: "1" },
    { number: "1.1", title: "Walls" },
    { number: "1.2", title: "Roof" },
  );
  await hold(world.ports, { plan, step: "step-1-2", reason: "rain" });
  edit(
    plan,
    { number: "1" },
    { number: "1.1", title: "Walls" },
    { number: "1.2", title: "Windows" },
    { number: "1.3", title: "Roof" },
  );
  expect((await claimFor(plan, "/a")).anchor).toBe(null);
  expect(await heldWith(plan, "step-1-2")).toEqual(["pending", null]);
  expect(await heldWith(plan, "step-1-3")).toEqual(["on_hold", "rain"]);
  expect(await heldWith(plan, "step-1")).toEqual(["on_hold", "its substep step-1-3 is on hold: rain"]);
});
