import { describe, expect, it } from "vitest";
import { CALL_NEW, CALL_OLD, RENAME, renameShop, together, UNTIL_LANDED } from "../support/rename-shop.ts";
import { type RunShop, runShop } from "../support/run-shop.ts";
import { trainShop } from "../support/train-shop.ts";

const eventsOf = (shop: RunShop, name: string) =>
  shop
    .query(`select anchor, detail from events where event = '${name}' order by id`)
    .map(({ anchor, detail }) => ({
      step: anchor,
      ...(JSON.parse(String(detail)) as Record<string, unknown>),
    }));

const ONE = [{ number: "1", tasks: ["dig"] }];

describe("a step that landed", () => {
  it("says what passed, on which tree, and as which commit it landed", async () => {
    const shop = runShop(ONE, '[verify]\ncommand = ["true"]\n');
    const run = await shop.run("--json");
    const commit = shop.repo.git("rev-parse", "pawl/plan");
    const tree = shop.repo.git("rev-parse", "pawl/plan^{tree}");
    const verification = {
      outcome: "passed",
      checks: ["true"],
      where: "clean",
      tree,
      commit,
      because: null,
    };
    const answer = JSON.parse(run.stdout.trim().split("\n").at(-1)!);
    expect(answer.data).toMatchObject({ not_verified: null, completed: [{ verification }] });
    expect(shop.json("explain", "plan.md", "step-1").data.steps[0].verification).toEqual(verification);
    expect(shop.json("state", "show", "plan.md").data.plan.steps[0].verification).toEqual(verification);
    const short = (hash: string) => hash.slice(0, 12);
    expect(shop.pawl("explain", "plan.md", "step-1").stdout.replaceAll(/\s+/g, " ")).toContain(
      `landed as ${short(commit)}, tree ${short(tree)}, passed: true (clean checkout)`,
    );
    expect(shop.pawl("state", "show", "plan.md").stdout).not.toContain("not verified");
    expect(shop.pawl("status").stdout).not.toContain("not verified");
    const from = shop.repo.git("rev-parse", "main");
    expect(eventsOf(shop, "landed")).toEqual([{ step: "step-1", branch: "pawl/plan", commit, tree, from }]);
  });

  it.each([
    ["with items", ONE],
    ["without items", [{ number: "1" }]],
  ])("%s is called not verified everywhere when no check is configured", async (_, steps) => {
    const shop = runShop(steps);
    const run = await shop.run();
    expect(run.stdout.match(/not verified.*/g)).toEqual([
      "not verified: no check is configured; set [verify] command in pawl.toml",
    ]);
    const because = "no check is configured";
    const verification = { outcome: "not_verified", checks: [], tree: null, because };
    expect(shop.json("explain", "plan.md", "step-1").data.steps[0]).toMatchObject({ verification });
    expect(shop.json("state", "show", "plan.md").data.plan.steps[0]).toMatchObject({ verification });
    expect(shop.json("status").data.not_verified).toEqual([{ plan_path: "plan.md", steps: 1, because }]);
    expect(shop.pawl("explain", "plan.md", "step-1").stdout.replaceAll(/\s+/g, " ")).toContain(
      `not verified: ${because}`,
    );
    expect(shop.pawl("state", "show", "plan.md").stdout).toMatch(/commit [0-9a-f]{12}, not verified$/m);
    expect(shop.pawl("status").stdout).toMatch(/1\/1 step, not verified$/m);
  });

  it("keeps saying that a person committed it without its checks", () => {
    const shop = runShop(ONE, '[verify]\ncommand = ["false"]\n');
    shop.json("state", "init", "plan.md");
    shop.json("state", "claim", "plan.md", "--worktree", ".");
    shop.repo.write("a.txt", "a");
    const at = ["--plan", "plan.md", "--step", "step-1", "--worktree", "."];
    shop.json("state", "update", "plan.md", "step-1", "--worktree", ".", "--all", "completed");
    expect(shop.pawl("commit", ...at, "--unverified", "the check is broken").code).toBe(0);
    expect(shop.json("explain", "plan.md", "step-1").data.steps[0].verification).toMatchObject({
      outcome: "unverified",
      because: "a person committed it without its checks: the check is broken",
    });
    expect(shop.pawl("state", "show", "plan.md").stdout).toContain(", not verified");
  });
});

describe("a step that fails together with what landed", () => {
  it("shows what failed, and a person has it started again with one answer", async () => {
    const shop = renameShop();
    shop.script({
      steps: {
        "step-1": [together(shop, RENAME)],
        "step-2": [together(shop, CALL_OLD, UNTIL_LANDED), [CALL_OLD, { tick: "all" }]],
      },
    });
    expect((await shop.run("--workers", "2")).code).toBe(5);
    const [step] = shop.json("explain", "plan.md", "step-2").data.steps;
    expect(step.failure).toMatchObject({
      checked: "node check.mjs",
      exit_code: 1,
      together: true,
      lines: ["not defined: old"],
    });
    expect(step.findings).toMatchObject([{ rule: "landing-rejected", choices: [{ key: "R" }, {}, {}] }]);
    const verbs = (step.options as readonly string[]).map((line) => line.split(" ").slice(1, 3).join(" "));
    expect(verbs.indexOf("state retry")).toBe(0);
    const text = shop.pawl("explain", "plan.md", "step-2").stdout;
    expect(text).toContain(
      "node check.mjs, together with what landed meanwhile, attempt 3 (exit 1):\n    | not defined: old\n",
    );
    // The third failure is for a person.
    expect(eventsOf(shop, "sent-back")).toHaveLength(2);
    expect(eventsOf(shop, "sent-back")[0]).toMatchObject({ step: "step-2", check: "node check.mjs" });
    expect(shop.pawl("recover", "--answer", "landing-rejected:step-2=R").code).toBe(0);
    shop.script({ steps: { "step-2": [[CALL_NEW, { tick: "all" }]] } });
    expect((await shop.run()).code).toBe(0);
    expect(shop.steps()).toEqual(["step-1 completed", "step-2 completed"]);
  });
});

describe("a step that waits to land", () => {
  it("is shown in its place behind the step ahead of it, and lands after it", async () => {
    const { shop, run, go } = await trainShop();
    expect(shop.json("status").data.train).toMatchObject([
      { anchor: "step-1", position: 1, behind: null, state: "verifying", branch: "pawl/plan" },
      { anchor: "step-2", position: 2, behind: "step-1", state: "verified", branch: "pawl/plan" },
    ]);
    const status = shop.pawl("status").stdout;
    expect(status.replaceAll(/\s+/g, " ")).toContain(
      "lands step-2 verified, second in the train of pawl/plan, behind step-1, joined",
    );
    expect(status.split("\n").every((line) => line.length <= 80)).toBe(true);
    expect(shop.pawl("explain", "plan.md", "step-2").stdout).toContain("second in the train of pawl/plan");
    go();
    const { code, stderr } = await run.ended;
    expect(code).toBe(0);
    expect(stderr.match(/step-2: verified, waits to land behind step-1/g)).toHaveLength(1);
    expect(shop.commits()).toEqual(["step-1", "step-2"]);
    expect(shop.json("status").data.train).toEqual([]);
    expect(eventsOf(shop, "landed").map(({ step }) => step)).toEqual(["step-1", "step-2"]);
  });
});
