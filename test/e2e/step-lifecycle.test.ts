import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Envelope, pawlAsync } from "../support/cli.ts";
import { flatPlan, planText, SMALL_PLAN } from "../support/plans.ts";
import { type Data, ok, PLAN, refused, type Workshop, workshop, words } from "../support/workshop.ts";
import { until } from "../support/until.ts";

/** One step with one item of each kind. */
const ONE_STEP = planText([
  { number: "0", tasks: ["dig"], tests: ["is it flat"], checkpoints: ["inspected"] },
]);

const anchors = (list: unknown): readonly string[] => (list as Data[]).map((one) => one["anchor"] as string);

/** Runs all command lines at the same time. */
const race = (
  shop: Workshop,
  calls: readonly (readonly string[])[],
): Promise<(Envelope & { code: number })[]> =>
  Promise.all(
    calls.map(async (args) => {
      const { code, stdout } = await pawlAsync({ cwd: shop.home }, ...args, "--json");
      return { ...(JSON.parse(stdout) as Envelope), code: code ?? -1 };
    }),
  );

/** Commits with a message that ends in these trailers. */
const commitWith = (shop: Workshop, ...trailers: readonly string[]): string => {
  shop.repository.git("commit", "-q", "--allow-empty", "-m", "work", "-m", trailers.join("\n"));
  return shop.repository.git("rev-parse", "HEAD");
};

describe("a step from its plan to its completion", () => {
  it("full lifecycle: init, claim, start, update all items, complete, show confirms done", () => {
    const shop = workshop(ONE_STEP);
    const mine = shop.worktree("mine");
    const { claim } = shop.take(mine);
    const numbered = ["--claim", String(claim)];
    ok(shop.work("heartbeat", mine, "step-0", ...numbered));
    ok(shop.work("update", mine, "step-0", "--task", "1", "completed", ...numbered));
    ok(
      shop.work(
        "update",
        mine,
        "step-0",
        "--all-tests",
        "completed",
        "--all-checkpoints",
        "completed",
        ...numbered,
      ),
    );
    ok(shop.work("complete", mine, "step-0", ...numbered));
    expect(shop.plan()).toMatchObject({ status: "done", steps: [{ anchor: "step-0", status: "completed" }] });
  });

  it("multi-step plan: a step is blocked until the one it depends on is completed", () => {
    const shop = workshop();
    const [mine, other] = [shop.worktree("mine"), shop.worktree("other")];
    expect(shop.take(mine)["anchor"]).toBe("step-0");
    expect(shop.claim(other).data["claimed"]).toBe(false);
    ok(shop.work("update", mine, "step-0", "--all", "completed"));
    ok(shop.work("complete", mine, "step-0"));
    expect(ok(shop.claim(other))["anchor"]).toBe("step-1");
  });

  it("substep tracking: substeps complete one by one, and their step needs all of them", () => {
    const shop = workshop();
    const mine = shop.worktree("mine");
    shop.finish(mine, "step-0");
    shop.take(mine, "step-1");
    ok(shop.work("update", mine, "step-1", "--all", "completed"));
    for (const [substep, left] of [
      ["step-1-1", ["step-1-2"]],
      ["step-1-2", []],
    ] as const) {
      ok(shop.work("start", mine, substep));
      ok(shop.work("update", mine, substep, "--all", "completed"));
      ok(shop.work("complete", mine, substep));
      const answer = shop.work("complete", mine, "step-1");
      if (left.length > 0) expect(anchors(answer.issues[0]?.details?.["incomplete_substeps"])).toEqual(left);
      else ok(answer);
    }
    expect(shop.step("step-1")["status"]).toBe("completed");
  });

  it("lease expiry and reclaim: another worktree gets the step, and the first owner is fenced off", async () => {
    const shop = workshop();
    const [mine, other] = [shop.worktree("mine"), shop.worktree("other")];
    ok(shop.claim(mine, "--lease-duration", "1"));
    await until(() => shop.claim(other).data["claimed"] === true, "the lease is over");
    expect(shop.step("step-0")).toMatchObject({ claimed_by: other, claim: 2 });
    refused(shop.work("start", mine, "step-0"), "E049", 4);
    refused(shop.work("start", mine, "step-0", "--claim", "1"), "E076", 4);
  });

  it("strict completion rejection lists what is missing, for people too", () => {
    const shop = workshop(ONE_STEP);
    shop.take(shop.home);
    const { code, stderr } = shop.text("state", "complete", PLAN, "step-0", "--worktree", ".");
    expect(code).toBe(1);
    expect(stderr).toContain("error[E051] step-0 has 3 open items.");
    for (const item of ["- task 1: dig", "- test 1: is it flat", "- checkpoint 1: inspected"])
      expect(stderr).toContain(item);
  });

  it("force-complete with reason: the reason is shown and open items are completed", () => {
    const shop = workshop(ONE_STEP);
    shop.take(shop.home);
    ok(shop.work("complete", shop.home, "step-0", "--force", "checked by hand"));
    expect(shop.items("step-0")).toEqual([
      "task 1: completed",
      "test 1: completed",
      "checkpoint 1: completed",
    ]);
    expect(shop.text("state", "show", PLAN).stdout).toContain("forced: checked by hand");
  });

  it("an edited plan stops no verb: what has not started follows it at the next claim", () => {
    const shop = workshop();
    const mine = shop.worktree("mine");
    shop.take(mine);
    shop.repository.write(PLAN, SMALL_PLAN.replace("Paint", "Paint it red"));

    expect(ok(shop.claim(mine))["anchor"]).toBe("step-0");
    expect(shop.step("step-2")["title"]).toBe("Paint it red");
    ok(shop.work("heartbeat", mine, "step-0"));
    ok(shop.work("artifact", mine, "step-0", "--kind", "auditor_summary", "--summary", "x"));
    ok(shop.work("start", mine, "step-0"));
    ok(shop.work("update", mine, "step-0", "--all", "completed"));
    ok(shop.work("complete", mine, "step-0"));
  });

  it("ownership enforcement: what worktree A claimed, worktree B cannot touch", () => {
    const shop = workshop();
    const [a, b] = [shop.worktree("a"), shop.worktree("b")];
    ok(shop.claim(a));
    for (const [verb, ...more] of [
      ["start"],
      ["heartbeat"],
      ["update", "--all", "completed"],
      ["artifact", "--kind", "auditor_summary", "--summary", "x"],
      ["complete"],
      ["complete", "--force", "mine now"],
      ["release"],
    ] as const)
      refused(shop.work(verb, b, "step-0", ...more), "E049", 4);
    expect(shop.step("step-0")).toMatchObject({ status: "claimed", claimed_by: a, artifacts: [] });
  });

  it("reset and reclaim: the step is pending, then free for any worker", () => {
    const shop = workshop();
    const [mine, other] = [shop.worktree("mine"), shop.worktree("other")];
    ok(shop.claim(mine));
    ok(shop.json("state", "reset", PLAN, "step-0"));
    expect(shop.step("step-0")["status"]).toBe("pending");
    expect(ok(shop.claim(other))).toMatchObject({ anchor: "step-0", claim: 3, reclaimed: false });
    refused(shop.work("start", mine, "step-0", "--claim", "1"), "E076", 4);
  });

  it("reconcile from git trailers after the database was lost", () => {
    const shop = workshop();
    const commit = commitWith(shop, "Tug-Step: step-0", `Tug-Plan: ${PLAN}`);
    rmSync(join(shop.home, ".git/pawl"), { recursive: true });

    refused(shop.json("state", "init", PLAN), "E387", 4);
    ok(shop.json("state", "reconcile", PLAN));
    refused(shop.json("state", "init", PLAN), "E387", 4);
    ok(shop.json("state", "reconcile", PLAN, "--trust-unsigned"));

    expect(shop.step("step-0")).toMatchObject({ status: "completed", commit_hash: commit });
  });
});

describe("worktrees that race for steps", () => {
  it("hands one step to exactly one of twelve worktrees", async () => {
    const shop = workshop(flatPlan(1));
    const trees = Array.from({ length: 12 }, (_, index) => shop.worktree(`w${index}`));

    const answers = await race(
      shop,
      trees.map((tree) => ["state", "claim", PLAN, "--worktree", tree]),
    );

    const winners = answers.filter(({ data }) => data["claimed"] === true);
    expect(winners).toHaveLength(1);
    expect(answers.filter(({ code }) => code === 6)).toHaveLength(11);
    expect(shop.step("step-1")).toMatchObject({ status: "claimed", claim: 1 });
  });

  it("hands each of six steps to another one of twelve worktrees", async () => {
    const shop = workshop(flatPlan(6));
    const trees = Array.from({ length: 12 }, (_, index) => shop.worktree(`w${index}`));

    const answers = await race(
      shop,
      trees.map((tree) => ["state", "claim", PLAN, "--worktree", tree]),
    );

    const claimed = answers.flatMap(({ data }) => (data["claimed"] === true ? [data["anchor"]] : []));
    expect(claimed).toHaveLength(6);
    expect(new Set(claimed)).toEqual(new Set(words("step-1 step-2 step-3 step-4 step-5 step-6")));
    const holders = (shop.plan()["steps"] as Data[]).map((step) => step["claimed_by"]);
    expect(new Set(holders).size).toBe(6);
  });

  it.each([
    ["start", "claimed", []],
    ["update", "in_progress", ["--all", "completed"]],
    ["complete", "in_progress", []],
  ] as const)("lets only the owner %s, however many processes of both try", async (verb, from, more) => {
    const shop = workshop(ONE_STEP);
    const [owner, stranger] = [shop.worktree("owner"), shop.worktree("stranger")];
    ok(shop.claim(owner));
    if (from === "in_progress") ok(shop.work("start", owner, "step-0"));
    if (verb === "complete") ok(shop.work("update", owner, "step-0", "--all", "completed"));

    const call = (tree: string) => ["state", verb, PLAN, "step-0", "--worktree", tree, ...more];
    const answers = await race(
      shop,
      Array.from({ length: 12 }, (_, index) => call(index % 2 === 0 ? stranger : owner)),
    );

    const codesOf = (parity: number) =>
      answers.filter((_, index) => index % 2 === parity).map(({ issues }) => issues[0]?.code ?? "ok");
    // A start or a completion happens once, and a stranger hears that the step is not his, or, too late, that it is
    // over; ticking twice is no harm.
    const once = verb === "update" ? "ok" : "E050";
    expect(codesOf(1).toSorted().toReversed()).toEqual(["ok", ...Array.from({ length: 5 }, () => once)]);
    for (const code of codesOf(0)) expect(verb === "complete" ? ["E049", "E050"] : ["E049"]).toContain(code);
    expect(shop.step("step-0")["status"]).toBe(
      { start: "in_progress", update: "in_progress", complete: "completed" }[verb],
    );
  });

  it("never lets an owner complete a step that another worktree takes at the same moment", async () => {
    const shop = workshop(flatPlan(8));
    const [owner, thief] = [shop.worktree("owner"), shop.worktree("thief")];
    const outcomes: string[] = [];
    for (let round = 1; round <= 8; round += 1) {
      const step = `step-${round}`;
      shop.take(owner, step);

      const [completion, theft] = await race(shop, [
        ["state", "complete", PLAN, step, "--worktree", owner],
        ["state", "claim", PLAN, "--worktree", thief, "--step", step, "--force"],
      ]);

      const won = { completion: completion?.status === "ok", theft: theft?.data["claimed"] === true };
      expect(won.completion).not.toBe(won.theft);
      if (won.theft) {
        expect(completion?.issues[0]?.code).toBe("E049");
        expect(shop.step(step)).toMatchObject({ status: "claimed", claimed_by: thief });
        ok(shop.json("state", "hold", PLAN, step));
      } else {
        expect(shop.step(step)).toMatchObject({ status: "completed", claimed_by: owner });
      }
      outcomes.push(won.theft ? "theft" : "completion");
    }
    expect(outcomes).toHaveLength(8);
  });
});
