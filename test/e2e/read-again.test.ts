import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { planText, SMALL_PLAN, type StepSpec } from "../support/plans.ts";
import { ailments, type Data, ok, PLAN, refused, type Workshop, workshop } from "../support/workshop.ts";
import { query, worldOf } from "../support/world.ts";

/** Four steps without dependencies, so that each can be brought into any state, and one with substeps. */
const STEPS: readonly StepSpec[] = [
  { number: "0", title: "Ground", tasks: ["dig", "level"] },
  { number: "1", title: "Walls", tasks: ["bricks"] },
  { number: "1.1", title: "North", tasks: ["mortar"] },
  { number: "1.2", title: "South", tasks: ["mortar"] },
  { number: "2", title: "Roof", tasks: ["beams"] },
  { number: "3", title: "Paint", tasks: ["colour"] },
];
const BEFORE = planText(STEPS);

/** The plan with some steps replaced, left out (null) or added at the end. */
const edited = (
  changes: Readonly<Record<string, Partial<StepSpec> | null>>,
  ...added: readonly StepSpec[]
): string =>
  planText([
    ...STEPS.flatMap((step) => {
      const change = changes[step.number];
      return change === null ? [] : [{ ...step, ...change }];
    }),
    ...added,
  ]);

const readAgain = (shop: Workshop, text: string, ...more: readonly string[]): Data => {
  shop.repository.write(PLAN, text);
  return ok(shop.json("state", "init", PLAN, "--force", ...more));
};

const statuses = (shop: Workshop): Record<string, string> =>
  Object.fromEntries(
    (shop.plan()["steps"] as Data[])
      .flatMap((step) => [step, ...(step["substeps"] as Data[])])
      .map((step) => [step["anchor"], step["status"]]),
  );

// proves G-edited-plans-are-noticed
describe("an edited plan", () => {
  it.each([
    ["an item", edited({ 0: { tasks: ["dig", "level", "measure"] } }), "edited step-0."],
    ["a title", edited({ 2: { title: "Flat roof" } }), "edited step-2."],
    ["a dependency", edited({ 2: { dependsOn: ["step-0"] } }), "edited step-2."],
    ["a step more", edited({}, { number: "4" }), "added step-4."],
    ["a step less", edited({ 3: null }), "removed step-3."],
    [
      "all at once",
      edited({ 0: { title: "Soil" }, 2: null }, { number: "4" }),
      "added step-4; edited step-0; removed step-2.",
    ],
    ["words outside the steps", `${BEFORE}\n### Notes\n\nnothing\n`, "no step changed."],
    ["no plan at all", "# Nothing\n", "its last readable text counts"],
  ])("is taken over by the next claim, which names what changed: %s", (_, text, words) => {
    const shop = workshop(BEFORE);
    shop.repository.write(PLAN, text);
    const answer = shop.claim(shop.home);
    expect(ok(answer)["anchor"]).toBe("step-0");
    expect(answer.issues[0]?.message).toContain(words);
  });

  it("is mentioned by state init, which leaves the state as it is", () => {
    const shop = workshop(BEFORE);
    const before = shop.plan();
    shop.repository.write(PLAN, edited({ 0: { title: "Soil" } }));
    const answer = shop.json("state", "init", PLAN);
    expect(ok(answer)).toMatchObject({ already_initialized: true, plan_changed: true });
    expect(answer.issues).toMatchObject([{ code: "E048", severity: "warning" }]);
    expect(shop.plan()).toEqual(before);
  });

  it("says what it said before once the edit is undone", () => {
    const shop = workshop(BEFORE);
    shop.repository.write(PLAN, edited({ 0: { title: "Soil" } }));
    ok(shop.claim(shop.home));
    ok(shop.json("state", "release", PLAN, "step-0", "--worktree", shop.home));
    shop.repository.write(PLAN, BEFORE);
    expect(ok(shop.claim(shop.home))["title"]).toBe(shop.step("step-0")["title"]);
    expect(shop.step("step-0")["title"]).not.toBe("Soil");
  });
});

// proves G-edited-plans-are-noticed
describe("state init --force keeps the progress of steps that say the same", () => {
  it("keeps completed, held and ticked steps, drops a changed one, and adds a new one", () => {
    const shop = workshop(BEFORE);
    const [mine, other] = [shop.worktree("mine"), shop.worktree("other")];
    const commit = shop.repository.git("rev-parse", "HEAD");
    shop.finish(mine, "step-0", "--commit", commit);
    shop.finish(mine, "step-2");
    shop.take(other, "step-3");
    ok(shop.work("update", other, "step-3", "--task", "1", "in_progress"));
    const kept = { ground: shop.step("step-0"), paint: shop.step("step-3") };

    const answer = readAgain(
      shop,
      edited({ 2: { tasks: ["beams", "tiles"] } }, { number: "4", title: "Garden" }),
    );

    expect(answer).toMatchObject({
      plan_path: PLAN,
      reinitialized: true,
      step_count: 5,
      substep_count: 2,
      checklist_count: 8,
      dropped_steps: [{ anchor: "step-2", was: "completed", because: "changed" }],
    });
    expect(answer["kept_steps"]).toEqual(["step-0", "step-1", "step-1-1", "step-1-2", "step-3"]);
    expect(statuses(shop)).toMatchObject({
      "step-0": "completed",
      "step-2": "pending",
      "step-3": "in_progress",
      "step-4": "pending",
    });
    expect(shop.step("step-0")).toMatchObject({
      commit_hash: commit,
      completed_at: kept.ground["completed_at"],
      items: kept.ground["items"],
    });
    expect(shop.step("step-3")).toMatchObject({ claimed_by: other, claim: 1, items: kept.paint["items"] });
    expect(shop.items("step-2")).toEqual(["task 1: open", "task 2: open"]);
    ok(shop.work("complete", other, "step-3", "--claim", "1", "--force", "the owner continues"));
  });

  it("keeps everything when only places, ticks, blanks or words outside the steps differ", () => {
    const shop = workshop(BEFORE);
    shop.finish(shop.home, "step-0");
    ok(shop.json("state", "hold", PLAN, "step-2"));
    const before = statuses(shop);
    const moved = planText([STEPS[5]!, ...STEPS.slice(0, 5)])
      .replace("- [ ] dig", "- [x] dig")
      .replace("- [ ] level", "- [ ] level   ")
      .replace("### Execution Steps", "Words.\n\n### Execution Steps");

    expect(readAgain(shop, moved)["dropped_steps"]).toEqual([]);

    expect(statuses(shop)).toEqual(before);
    expect((shop.plan()["steps"] as Data[]).map((step) => step["anchor"])).toEqual([
      "step-3",
      "step-0",
      "step-1",
      "step-2",
    ]);
  });

  it("drops a completed step when a substep of it changed, and keeps the substep that did not", () => {
    const shop = workshop(BEFORE);
    shop.finish(shop.home, "step-1");

    const { dropped_steps: dropped } = readAgain(shop, edited({ "1.2": { tasks: ["better mortar"] } }));

    expect((dropped as Data[]).map((step) => step["anchor"])).toEqual(["step-1", "step-1-2"]);
    expect(statuses(shop)).toMatchObject({
      "step-1": "pending",
      "step-1-1": "completed",
      "step-1-2": "pending",
    });
    expect(shop.items("step-1-1")).toEqual(["task 1: completed"]);
  });

  it("drops a completed step when it got a substep", () => {
    const shop = workshop(BEFORE);
    shop.finish(shop.home, "step-0");
    const text = planText([...STEPS.slice(0, 1), { number: "0.1", title: "Drain" }, ...STEPS.slice(1)]);
    expect(readAgain(shop, text)["dropped_steps"]).toMatchObject([{ anchor: "step-0", was: "completed" }]);
    expect(statuses(shop)).toMatchObject({ "step-0": "pending", "step-0-1": "pending" });
  });

  it("removes steps that are gone and lists those that had progress", () => {
    const shop = workshop(BEFORE);
    const commit = shop.repository.git("rev-parse", "HEAD");
    shop.finish(shop.home, "step-2", "--commit", commit);

    const answer = readAgain(shop, edited({ 2: null, 3: null }));

    expect(answer["dropped_steps"]).toMatchObject([
      { anchor: "step-2", was: "completed", because: "removed", commit },
    ]);
    expect(Object.keys(statuses(shop))).toEqual(["step-0", "step-1", "step-1-1", "step-1-2"]);
    refused(shop.json("explain", PLAN, "step-3"), "E060", 2);
  });

  it("fences off the owner of a step that changed", () => {
    const shop = workshop(BEFORE);
    const mine = shop.worktree("mine");
    shop.take(mine, "step-2");

    const answer = readAgain(shop, edited({ 2: { title: "Flat roof" } }));

    expect(answer["dropped_steps"]).toMatchObject([
      { anchor: "step-2", was: "in_progress", because: "changed", claimed_by: mine },
    ]);
    refused(shop.work("update", mine, "step-2", "--all", "completed", "--claim", "1"), "E076", 4);
    refused(shop.work("complete", mine, "step-2"), "E050", 4);
  });

  it("lets steps wait again for one that was dropped", () => {
    const shop = workshop();
    shop.finish(shop.home, "step-0");
    expect(shop.step("step-1")["blocked_by"]).toEqual([]);
    readAgain(shop, SMALL_PLAN.replace("level", "level well"));
    expect(shop.step("step-1")["blocked_by"]).toEqual(["step-0"]);
    expect(ok(shop.claim(shop.home))["anchor"]).toBe("step-0");
  });

  it("makes a plan that was done active again when it got a step", () => {
    const shop = workshop(planText([STEPS[0]!]));
    shop.finish(shop.home, "step-0");
    expect(shop.plan()["status"]).toBe("done");
    readAgain(shop, planText([STEPS[0]!, STEPS[4]!]));
    expect(shop.plan()["status"]).toBe("active");
    expect(ok(shop.claim(shop.home))["anchor"]).toBe("step-2");
  });

  it("keeps a blocked-back step and its note", () => {
    const shop = workshop(BEFORE);
    ok(shop.json("state", "hold", PLAN, "step-0", "--reason", "rain"));
    readAgain(shop, edited({ 3: { title: "Colour" } }));
    expect(shop.step("step-0")).toMatchObject({ status: "on_hold", block_note: "rain" });
  });

  it("takes a new plan's state from nothing, as init does", () => {
    const shop = workshop(null);
    shop.repository.write(PLAN, BEFORE);
    expect(ok(shop.json("state", "init", PLAN, "--force"))).toMatchObject({
      already_initialized: false,
      reinitialized: false,
      kept_steps: [],
      dropped_steps: [],
    });
  });

  it("refuses a plan with errors and changes nothing", () => {
    const shop = workshop(BEFORE);
    shop.finish(shop.home, "step-0");
    shop.repository.write(PLAN, edited({ 0: { dependsOn: ["step-2"] }, 2: { dependsOn: ["step-0"] } }));
    const before = worldOf(shop.repository);
    const issue = refused(shop.json("state", "init", PLAN, "--force"), "E057", 1);
    expect(issue.message).toContain("step-0 → step-2 → step-0");
    expect(worldOf(shop.repository)).toEqual(before);
  });
});

describe("--discard-progress", () => {
  it("starts from nothing and lists what was lost", () => {
    const shop = workshop(BEFORE);
    const mine = shop.worktree("mine");
    shop.finish(shop.home, "step-0");
    shop.take(mine, "step-2");

    const answer = ok(shop.json("state", "init", PLAN, "--force", "--discard-progress"));

    expect(answer["kept_steps"]).toEqual([]);
    expect(answer["dropped_steps"]).toMatchObject([
      { anchor: "step-0", was: "completed", because: "discarded" },
      { anchor: "step-2", was: "in_progress", because: "discarded", claimed_by: mine },
    ]);
    expect(new Set(Object.values(statuses(shop)))).toEqual(new Set(["pending"]));
    expect(shop.items("step-0")).toEqual(["task 1: open", "task 2: open"]);
    refused(shop.work("heartbeat", mine, "step-2", "--claim", "1"), "E076", 4);
  });

  it("goes with --force only", () => {
    const shop = workshop(BEFORE);
    const issue = refused(shop.json("state", "init", PLAN, "--discard-progress"), "E066", 2);
    expect(issue.message).toContain("--force");
  });
});

describe("the state from before", () => {
  it("lies in a file that state restore reads; workers that held a step hold it no more", () => {
    const shop = workshop(BEFORE);
    const mine = shop.worktree("mine");
    shop.finish(shop.home, "step-0", "--commit", shop.repository.git("rev-parse", "HEAD"));
    shop.take(mine, "step-2");
    ok(shop.work("update", mine, "step-2", "--task", "1", "completed"));
    ok(shop.work("artifact", mine, "step-2", "--kind", "auditor_summary", "--summary", "half way"));
    const before = shop.plan();

    const { saved_to: saved } = ok(shop.json("state", "init", PLAN, "--force", "--discard-progress"));
    expect(existsSync(saved as string)).toBe(true);
    expect(shop.step("step-0")["status"]).toBe("pending");
    const restored = ok(shop.json("state", "restore", saved as string));

    expect(restored).toMatchObject({ plan_path: PLAN, restored: true, step_count: 6 });
    const [ground, walls, roof, paint] = before["steps"] as Data[];
    const after = shop.plan()["steps"] as Data[];
    expect(after[1]).toMatchObject({ ...walls, claim: expect.any(Number), substeps: expect.any(Array) });
    expect(after[3]).toMatchObject({ ...paint, claim: expect.any(Number) });
    expect(after[0]).toMatchObject({
      status: "completed",
      commit_hash: ground?.["commit_hash"],
      completed_at: ground?.["completed_at"],
      items: ground?.["items"],
    });
    expect(after[2]).toMatchObject({ status: "pending", claimed_by: null, items: roof?.["items"] });
    expect(after[2]?.["artifacts"]).toMatchObject([{ kind: "auditor_summary", summary: "half way" }]);
    refused(shop.work("heartbeat", mine, "step-2", "--claim", "1"), "E076", 4);
    expect(ailments(ok(shop.json("doctor")))).toEqual([]);
  });

  it("is named to people by the command that saved it, and restore saves what it replaces", () => {
    const shop = workshop(BEFORE);
    shop.finish(shop.home, "step-0");
    const { stdout } = shop.text("state", "init", PLAN, "--force", "--discard-progress");
    const [, first] = /pawl state restore (\S+)/.exec(stdout) ?? [];
    shop.finish(shop.home, "step-3");

    const { saved_to: second } = ok(shop.json("state", "restore", first!));
    expect(statuses(shop)).toMatchObject({ "step-0": "completed", "step-3": "pending" });

    ok(shop.json("state", "restore", second as string));
    expect(statuses(shop)).toMatchObject({ "step-0": "pending", "step-3": "completed" });
  });

  it("is not put over steps that a worker holds", () => {
    const shop = workshop(BEFORE);
    const { saved_to: saved } = ok(shop.json("state", "init", PLAN, "--force"));
    shop.take(shop.home, "step-0");
    refused(shop.json("state", "restore", saved as string), "E087", 4);
    expect(statuses(shop)["step-0"]).toBe("in_progress");
  });

  it.each<[string, (saved: string) => string | Uint8Array, string]>([
    ["no JSON", () => "no JSON", "E086"],
    ["other JSON", () => '{"pawl":"something else","version":1}', "E086"],
    ["null", () => "null", "E086"],
    ["parts missing", () => '{"pawl":"plan-state","version":1,"plan":{"plan_path":"plan.md"}}', "E086"],
    ["cut off", (saved) => saved.slice(0, saved.length / 2), "E086"],
    ["of a later version", (saved) => saved.replace('"version": 1', '"version": 2'), "E086"],
    ["not UTF-8", () => new Uint8Array([0x7b, 0xff, 0x7d]), "E086"],
    [
      "a status that does not exist",
      (saved) => saved.replace('"status": "pending"', '"status": "asleep"'),
      "E086",
    ],
  ])("is refused when it is damaged: %s", (_, damage, code) => {
    const shop = workshop(BEFORE);
    const { saved_to: saved } = ok(shop.json("state", "init", PLAN, "--force"));
    shop.repository.write("damaged.json", damage(readFileSync(saved as string, "utf8")));
    const before = worldOf(shop.repository);
    refused(shop.json("state", "restore", "damaged.json"), code, 2);
    expect(worldOf(shop.repository).tables).toEqual(before.tables);
  });

  it("is refused when there is no such file", () => {
    const shop = workshop(BEFORE);
    expect(shop.json("state", "restore", "nowhere.json")).toMatchObject({ code: 2, status: "error" });
  });
});

describe("numbers of claims are never handed out twice", () => {
  /** Every number that the journal says a step was claimed under. */
  const granted = (shop: Workshop, anchor: string): readonly number[] =>
    query(
      shop.database,
      "select claim from events where anchor = ? and event in ('claimed', 'reclaimed') order by id",
      anchor,
    ).map((row) => Number(row["claim"]));

  const claimAndRelease = (shop: Workshop): void => {
    ok(shop.claim(shop.home, "--step", "step-2"));
    ok(shop.work("release", shop.home, "step-2"));
  };

  it.each<[string, (shop: Workshop) => void]>([
    [
      "after --discard-progress",
      (shop) => void ok(shop.json("state", "init", PLAN, "--force", "--discard-progress")),
    ],
    [
      "after the step was taken out and put back",
      (shop) => {
        readAgain(shop, edited({ 2: null }));
        readAgain(shop, BEFORE);
      },
    ],
    [
      "after an older state was restored",
      (shop) => {
        const { saved_to: saved } = ok(shop.json("state", "init", PLAN, "--force"));
        claimAndRelease(shop);
        claimAndRelease(shop);
        ok(shop.json("state", "restore", saved as string));
      },
    ],
    [
      "after the plan was pruned and initialised again",
      (shop) => {
        shop.repository.git("mv", "-k", PLAN, "elsewhere.md");
        const text = readFileSync(join(shop.home, PLAN), "utf8");
        shop.repository.git("clean", "-fdq");
        ok(shop.json("state", "prune"));
        shop.repository.write(PLAN, text);
        ok(shop.json("state", "init", PLAN));
      },
    ],
  ])("%s", (_, happens) => {
    const shop = workshop(BEFORE);
    claimAndRelease(shop);
    claimAndRelease(shop);
    happens(shop);
    claimAndRelease(shop);

    const numbers = granted(shop, "step-2");
    expect(numbers.length).toBeGreaterThanOrEqual(3);
    expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b));
  });
});
