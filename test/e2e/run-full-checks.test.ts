import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { AGENT, type RunShop, runShop, untilThere } from "../support/run-shop.ts";

/** Fails where a file of the work says so; each run adds a letter to a file beside the repository. */
const full = (log: string): string => `
import { appendFileSync, existsSync, readdirSync, readFileSync } from "node:fs";
appendFileSync(${JSON.stringify(log)}, "x");
const files = existsSync("work") ? readdirSync("work") : [];
const bad = files.filter((name) => readFileSync("work/" + name, "utf8").includes("broken"));
if (bad.length > 0) { console.log("broken: " + bad.join(", ")); process.exit(1); }
`;

const acts = (text: string) => [{ write: "work/{step}.txt", text }, { tick: "all" }];

function shopOf(steps: number, bad: number, more: string): RunShop {
  const shop = runShop(
    Array.from({ length: steps }, (_, at) => ({ number: String(at + 1), tasks: ["work"] })),
    `[verify]\ncommand = ["node", "-e", "0"]\nfull = ["node", "full.mjs"]\n${more}`,
  );
  shop.repo.write("full.mjs", full(shop.path("full.log")));
  shop.repo.git("add", "-A");
  shop.repo.git("commit", "-q", "-m", "a full check");
  shop.script({
    steps: Object.fromEntries(
      Array.from({ length: steps }, (_, at) => [
        `step-${at + 1}`,
        [acts(at + 1 === bad ? "broken\n" : "fine\n")],
      ]),
    ),
  });
  return shop;
}

const runsOf = (shop: RunShop): number => readFileSync(shop.path("full.log"), "utf8").length;
const most = (steps: number): number => Math.ceil(Math.log2(steps)) + 1;
const plain = (text: string): string => text.replaceAll(/\s+/g, " ");
const commitOf = (shop: RunShop, step: string): string =>
  shop.repo.git("log", "--format=%H", "--grep", `Pawl-Step: ${step}$`, "main..pawl/plan");

describe("plans with one regression that only the full check sees", () => {
  it.each([
    { steps: 7, bad: 5, workers: 1, more: "" },
    { steps: 9, bad: 2, workers: 3, more: "" },
    { steps: 6, bad: 4, workers: 2, more: '[landing]\nstyle = "merge"\n' },
  ])("$steps steps, $workers workers: step $bad is named within the bound $more", async (plan) => {
    const { steps, bad, workers, more } = plan;
    const shop = shopOf(steps, bad, more);
    const { code, stdout } = await shop.run("--workers", String(workers), "--json");
    expect(code).toBe(5);
    const { data } = JSON.parse(stdout.trim().split("\n").at(-1)!) as {
      data: { ended: string; culprit: { anchor: string; commit: string } };
    };
    expect(data).toMatchObject({ ended: "full_failed", culprit: { kind: "step", anchor: `step-${bad}` } });
    // Its own commit, or the merge that brought it.
    expect(shop.repo.git("show", `${data.culprit.commit}:work/step-${bad}.txt`)).toBe("broken");
    expect(runsOf(shop) - 1).toBeLessThanOrEqual(most(steps));
    const trees = shop.query("select tree from tree_verdicts where kind = 'full'").map(({ tree }) => tree);
    expect(new Set(trees).size).toBe(trees.length);
  });

  it("several workers finish at once, and one of them checks what has landed", async () => {
    const shop = shopOf(8, 0, "full_every = 3\n");
    expect((await shop.run("--workers", "4")).code).toBe(0);
    const begun = shop.query("select detail from events where event = 'full-begun'");
    const passed = shop.query("select detail from events where event = 'full-passed'");
    expect(begun).toHaveLength(passed.length);
    expect(runsOf(shop)).toBe(passed.length);
    // At most after three, after six, and at the end.
    expect(passed.length).toBeGreaterThanOrEqual(2);
    expect(passed.length).toBeLessThanOrEqual(3);
  });
});

it("a revert that was killed before its step was put on hold is not made twice", async () => {
  const shop = shopOf(3, 2, "");
  expect((await shop.run()).code).toBe(5);
  const broken = commitOf(shop, "step-2");
  const worktree = shop.repo.addWorktree("by-hand");
  const here = (...args: readonly string[]) => shop.repo.git("-C", worktree, ...args);
  here("checkout", "-q", "--detach", "pawl/plan");
  here("revert", "--no-edit", broken);
  const reverted = here("rev-parse", "HEAD");
  shop.repo.git("update-ref", "refs/heads/pawl/plan", reverted);
  const { code } = shop.pawl("recover", "--answer", "full-check-failed:step-2=V");
  expect(code).toBe(0);
  expect(shop.repo.git("rev-parse", "pawl/plan")).toBe(reverted);
  expect(shop.steps()[1]).toBe("step-2 on_hold");
  expect(shop.json("recover", "--dry-run").data.findings).toMatchObject([{ rule: "step-on-hold" }]);
});

it("a revert refuses where later steps changed the same lines: nothing moves", async () => {
  const shop = shopOf(2, 0, "");
  shop.script({
    steps: {
      "step-1": [[{ write: "work/a.txt", text: "broken\n" }, { tick: "all" }]],
      "step-2": [[{ write: "work/a.txt", text: "broken, too\n" }, { tick: "all" }]],
    },
  });
  expect((await shop.run()).code).toBe(5);
  const tip = shop.repo.git("rev-parse", "pawl/plan");
  const { stdout } = shop.pawl("recover", "--answer", "full-check-failed:step-1=V");
  expect(plain(stdout)).toContain("changed the same lines");
  expect(shop.repo.git("rev-parse", "pawl/plan")).toBe(tip);
  expect(shop.steps()[0]).toBe("step-1 completed");
});

describe("a run that is killed in the middle of the search", () => {
  it("is continued from the verdicts that exist", async () => {
    const shop = shopOf(6, 3, "");
    const waiting = shop.path("waiting");
    // The third full check waits for ever, once.
    const text = readFileSync(`${shop.repo.path}/full.mjs`, "utf8").replace(
      "const files",
      `if (readFileSync(${JSON.stringify(shop.path("full.log"))}, "utf8").length === 3 && !existsSync(${JSON.stringify(waiting)})) {
  appendFileSync(${JSON.stringify(waiting)}, "1");
  await new Promise((done) => setTimeout(done, 600_000));
}
const files`,
    );
    shop.repo.write("full.mjs", text);
    shop.repo.git("commit", "-q", "-a", "-m", "a check that waits");
    const { child, ended } = shop.start("run", "plan.md", ...AGENT);
    await untilThere(waiting);
    child.kill("SIGKILL");
    await ended;
    const { code, stdout } = await shop.run();
    expect(code).toBe(5);
    expect(plain(stdout)).toContain("fails since step-3");
    // As many as without the kill, and the one that was cut off.
    expect(runsOf(shop)).toBeLessThanOrEqual(1 + 3 + 1);
    const trees = shop.query("select tree from tree_verdicts where kind = 'full'").map(({ tree }) => tree);
    expect(new Set(trees).size).toBe(trees.length);
  });
});
