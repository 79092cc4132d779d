import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type Acts, type RunShop, runShop } from "../support/run-shop.ts";

/** Fails where a file of the work says so. Each run leaves a line beside the repository. */
const FULL = `
import { appendFileSync, existsSync, readdirSync, readFileSync } from "node:fs";
appendFileSync(process.env.FULL_LOG, "x");
const files = existsSync("work") ? readdirSync("work") : [];
const bad = files.filter((name) => readFileSync("work/" + name, "utf8").includes("broken"));
if (bad.length > 0) { console.log("broken: " + bad.join(", ")); process.exit(1); }
`;

const GOOD: Acts = [{ write: "work/{step}.txt", text: "fine\n" }, { tick: "all" }];
const BAD: Acts = [{ write: "work/{step}.txt", text: "broken\n" }, { tick: "all" }];

function fullShop(steps: number, more = "", before = "fine\n"): RunShop {
  const shop = runShop(
    Array.from({ length: steps }, (_, at) => ({
      number: String(at + 1),
      tasks: ["work"],
      ...(at > 0 ? { dependsOn: [`step-${at}`] } : {}),
    })),
    `[verify]\nfull = ["node", "full.mjs"]\n${more}`,
  );
  shop.repo.write("full.mjs", FULL.replace("process.env.FULL_LOG", JSON.stringify(shop.path("full.log"))));
  shop.repo.write("work/before.txt", before);
  shop.repo.git("add", "-A");
  shop.repo.git("commit", "-q", "-m", "a full check");
  return shop;
}

/** Every step does well but one. */
const breaking = (shop: RunShop, steps: number, bad: number, then: Acts = GOOD): void =>
  shop.script({
    steps: Object.fromEntries(
      Array.from({ length: steps }, (_, at) => [`step-${at + 1}`, at + 1 === bad ? [BAD, then] : [GOOD]]),
    ),
  });

const fullRuns = (shop: RunShop): number => {
  try {
    return readFileSync(shop.path("full.log"), "utf8").length;
  } catch {
    return 0;
  }
};

const commitOf = (shop: RunShop, step: string): string =>
  shop.repo.git("log", "--format=%H", "--grep", `Pawl-Step: ${step}$`, "main..pawl/plan").split("\n").at(-1)!;

const plain = (text: string): string => text.replaceAll(/\s+/g, " ");

describe("the full check", () => {
  it("runs once at the end, and again only when something else has landed", async () => {
    const shop = fullShop(2);
    shop.script({ runs: [GOOD] });
    expect((await shop.run()).code).toBe(0);
    expect(fullRuns(shop)).toBe(1);
    expect((await shop.run()).code).toBe(0);
    expect(fullRuns(shop)).toBe(1);
  });

  it("names the step that broke it and its commit, in every view, and the run ends with 5", async () => {
    const shop = fullShop(5);
    breaking(shop, 5, 2);
    const { code, stdout } = await shop.run();
    const commit = commitOf(shop, "step-2").slice(0, 12);
    const found = `node full.mjs fails since step-2 "Work 2" (commit ${commit}): broken: step-2.txt`;
    expect(code).toBe(5);
    expect(plain(stdout)).toContain(found);
    // One that found out about it, and at most three to find the step among five.
    expect(fullRuns(shop)).toBeLessThanOrEqual(4);
    expect(plain(shop.pawl("explain", "plan.md", "step-2").stdout)).toContain(found);
    expect(plain(shop.pawl("explain", "plan.md").stdout)).toContain(found);
    expect(plain(shop.pawl("status").stdout)).toContain(found);
    const recover = shop.json("recover", "--dry-run");
    expect(recover.data.findings).toMatchObject([
      {
        rule: "full-check-failed",
        anchor: "step-2",
        found,
        choices: [{ key: "R" }, { key: "V" }, { key: "L" }],
      },
    ]);
    // It is the same question until a person decides, and costs nothing to ask.
    const before = fullRuns(shop);
    expect((await shop.run()).code).toBe(5);
    expect(fullRuns(shop)).toBe(before);
  });

  it("ends a run as soon as it fails, with steps left", async () => {
    const shop = fullShop(4, "full_every = 1\n");
    breaking(shop, 4, 2);
    expect((await shop.run()).code).toBe(5);
    expect(shop.steps()).toEqual([
      "step-1 completed",
      "step-2 completed",
      "step-3 pending",
      "step-4 pending",
    ]);
    // The tree before step 2 is known to pass.
    expect(fullRuns(shop)).toBe(2);
  });

  it("blames no step where it fails already on the tree before the plan", async () => {
    const shop = fullShop(3, "", "broken\n");
    shop.script({ runs: [GOOD] });
    const { code, stdout } = await shop.run();
    expect(code).toBe(5);
    expect(plain(stdout)).toContain("fails already on the tree before the plan");
    expect(fullRuns(shop)).toBeLessThanOrEqual(3);
    for (const view of ["status", "explain plan.md"])
      expect(plain(shop.pawl(...view.split(" ")).stdout)).toContain("already on the tree before the plan");
    const [finding] = shop.json("recover", "--dry-run").data.findings;
    expect(finding).toMatchObject({ anchor: null, choices: [{ key: "L" }] });
  });
});

describe("a person decides about a step that broke the full check", () => {
  it("to reopen it: its agent gets the evidence, and its fix is a new commit", async () => {
    const shop = fullShop(3);
    breaking(shop, 3, 2);
    expect((await shop.run()).code).toBe(5);
    const broken = commitOf(shop, "step-2");
    expect(shop.pawl("recover", "--answer", "full-check-failed:step-2=R").code).toBe(0);
    expect(shop.steps()[1]).toBe("step-2 pending");
    const { code } = await shop.run();
    expect(code).toBe(0);
    const prompt = readFileSync(shop.path("script.json.step-2.2.json"), "utf8");
    expect(prompt).toContain("broken: step-2.txt");
    expect(prompt).toContain("node full.mjs");
    expect(shop.repo.git("merge-base", "--is-ancestor", broken, "pawl/plan")).toBe("");
    expect(shop.repo.git("show", "pawl/plan:work/step-2.txt")).toBe("fine");
    expect(shop.json("recover", "--dry-run").data.findings).toEqual([]);
  });

  it("to revert it: the branch passes again, and the step is on hold", async () => {
    const shop = fullShop(3, 'command = ["node", "-e", "0"]\n');
    breaking(shop, 3, 2);
    expect((await shop.run()).code).toBe(5);
    const broken = commitOf(shop, "step-2");
    const tip = shop.repo.git("rev-parse", "pawl/plan");
    const { code, stdout } = shop.pawl("recover", "--answer", "full-check-failed:step-2=V");
    expect(code, stdout).toBe(0);
    expect(shop.repo.git("rev-parse", "pawl/plan^")).toBe(tip);
    expect(shop.repo.git("log", "-1", "--format=%B", "pawl/plan")).toContain(`This reverts commit ${broken}`);
    expect(shop.repo.git("ls-tree", "--name-only", "pawl/plan", "work/")).not.toContain("step-2");
    const tree = shop.repo.git("rev-parse", "pawl/plan^{tree}");
    const passed = shop.query(`select outcome from tree_verdicts where tree = '${tree}'`);
    expect(passed.map(({ outcome }) => outcome)).toEqual(["passed", "passed"]);
    expect(shop.steps()[1]).toBe("step-2 on_hold");
    expect(shop.json("recover", "--dry-run").data.findings).toMatchObject([{ rule: "step-on-hold" }]);
  });

  it("to leave it: it stays visible, and stops no run again", async () => {
    const shop = fullShop(2);
    breaking(shop, 2, 1);
    expect((await shop.run()).code).toBe(5);
    expect(shop.pawl("recover", "--answer", "full-check-failed:step-1=L").code).toBe(0);
    const before = fullRuns(shop);
    const { code, stdout } = await shop.run();
    expect(code).toBe(0);
    expect(plain(stdout)).toContain("broken: step-1.txt. A person decided to leave it.");
    expect(fullRuns(shop)).toBe(before);
    expect(plain(shop.pawl("status").stdout)).toContain("fails since step-1");
  });
});
