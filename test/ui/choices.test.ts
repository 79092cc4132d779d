import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { diagnose, RULES } from "../../src/recovery/rules/rules.ts";
import type { Rule } from "../../src/recovery/rules/rule.ts";
import { REPAIRS, type RepairName } from "../../src/recovery/rules/repairs.ts";
import { everySituation } from "../../src/recovery/rules/situation.ts";
import { browserForTests } from "../support/browser.ts";
import { type Case, clicked, press } from "../support/clicks.ts";
import { planText, type StepSpec } from "../support/plans.ts";
import { type RunShop, runShop, THREE } from "../support/run-shop.ts";
import {
  speaking,
  taskShop,
  taskOf,
  becomes,
  AWAITING,
  TIMED_OUT,
  AGENT_TIMEOUT,
  STALE,
  interrupted,
  withoutWorktree,
  edited,
  treeOf,
  contentLost,
  worktreeGone,
  sessionsOf,
  snapshotsOf,
  statusOf,
  escalated,
  paused,
  stopped,
  stands,
  patiently,
} from "../support/stuck-shops.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await browserForTests();
});
afterAll(() => browser.close());

/** Nothing is changed, and the matter is out of the way. */
const leaves =
  (what: (shop: RunShop) => unknown, expected: unknown): Case["effect"] =>
  async (shop, page) => {
    await page.waitForSelector("text=1 matter left as it is.");
    expect(what(shop)).toEqual(expected);
  };

/** A plan whose branch lacks its last step, and has a commit that no step made. */
async function offBranch(): Promise<RunShop> {
  const shop = runShop();
  expect((await shop.run()).code).toBe(0);
  const last = shop.repo.git("rev-parse", "pawl/plan");
  const other = shop.repo.git("commit-tree", "-p", `${last}~1`, "-m", "other", `${last}~1^{tree}`);
  shop.repo.git("update-ref", "refs/heads/pawl/plan", other);
  return shop;
}

const lastStep = (shop: RunShop): string | undefined => shop.steps().at(-1);

const firstStep = (shop: RunShop): string | undefined => shop.steps()[0];

/** A plan whose only step has landed and fails the full check. */
async function fullyBroken(): Promise<RunShop> {
  const shop = runShop([THREE[0]!], '[verify]\nfull = ["test", "!", "-e", "broken.txt"]\n');
  shop.script({ runs: [[{ write: "broken.txt" }, { tick: "all" }]] });
  expect((await shop.run()).code).toBe(5);
  return shop;
}

const BOTH: readonly StepSpec[] = [
  { number: "1", tasks: ["dig"] },
  { number: "2", tasks: ["build"] },
];

/** A plan with both steps done, and a commit after that with another text. */
async function editedAfterwards(steps: readonly StepSpec[]): Promise<RunShop> {
  const shop = runShop(BOTH);
  expect((await shop.run("--max-steps", "1")).code).toBe(0);
  shop.repo.write("plan.md", planText(steps));
  shop.repo.git("commit", "-qam", "another text");
  // The next claim takes the edit over, and a decision about it waits.
  expect((await shop.run()).code).toBe(5);
  return shop;
}

const deeper = () => editedAfterwards([{ number: "1", tasks: ["dig deeper"] }, BOTH[1]!]);
const withoutFirst = () => editedAfterwards([BOTH[1]!]);

const nothingFound = (shop: RunShop): boolean => shop.json("recover", "--dry-run").data.findings.length === 0;

/** Every choice that recovery offers, by its rule, what it is about, and the repair. */
const CASES: Readonly<Record<string, Case>> = {
  "plan-changed plan read-again": {
    make: edited,
    effect: (shop) => patiently(() => shop.steps().length === 4),
  },
  "plan-changed plan keep": { make: edited, effect: leaves((shop) => shop.steps().length, 3) },
  "step-edited edit accept-edit": {
    make: deeper,
    async effect(shop) {
      await patiently(() => nothingFound(shop));
      expect(shop.steps()).toEqual(["step-1 completed", "step-2 completed"]);
    },
  },
  "step-edited edit begin-again": { make: deeper, effect: stands("pending") },
  "step-edited edit new-plan": {
    async make() {
      const shop = runShop(BOTH);
      expect((await shop.run()).code).toBe(0);
      const other: readonly StepSpec[] = [
        { number: "1", title: "Draw", tasks: ["draw"] },
        { number: "2", title: "Choose", tasks: ["choose"] },
      ];
      shop.repo.write("plan.md", planText(other));
      shop.repo.git("commit", "-qam", "another plan");
      expect((await shop.run()).code).toBe(5);
      return shop;
    },
    effect: (shop) => patiently(() => shop.steps().join() === "step-1 pending,step-2 pending"),
  },
  "step-edited edit forget-step": {
    make: withoutFirst,
    effect: (shop) => patiently(() => shop.steps().join() === "step-2 completed"),
  },
  "step-edited edit keep": { make: deeper, effect: leaves(firstStep, "step-1 completed") },
  "interrupted-session session resume": {
    make: interrupted,
    async effect(shop) {
      await patiently(() => shop.steps().every((line) => line.endsWith(" completed")));
      expect(shop.commits()).toEqual(["step-1", "step-2", "step-3"]);
      await patiently(() => sessionsOf(shop).every((status) => status === "completed"));
    },
  },
  "interrupted-session session abandon": {
    make: interrupted,
    async effect(shop) {
      await patiently(() => sessionsOf(shop)[0] === "abandoned");
      expect(snapshotsOf(shop).map((ref) => shop.repo.git("show", `${ref}:half.txt`))).toContain("half");
    },
  },
  "interrupted-session session show": {
    make: interrupted,
    async effect(shop, page) {
      await page.waitForSelector("h1:has-text('step-1')");
      await page.waitForSelector(".heading .badge:has-text('interrupted')");
      expect(sessionsOf(shop)).toEqual(["interrupted"]);
    },
  },
  "awaiting-verification step verify-here": {
    make: () => taskShop(AWAITING),
    async effect(shop) {
      await becomes("Finished")(shop);
      expect(shop.steps()).toEqual(["task-1 completed"]);
    },
  },
  "awaiting-verification step reset": { make: () => taskShop(AWAITING), effect: becomes("Pending") },
  "awaiting-verification step skip": {
    make: () => taskShop(AWAITING),
    effect: leaves(statusOf, "Awaiting Verification"),
  },
  "verification-timed-out step verify-here": {
    make: () => taskShop(TIMED_OUT),
    async effect(shop) {
      await becomes("Finished")(shop);
      expect(taskOf(shop)["verification_attempts"]).toBe(2);
    },
  },
  "verification-timed-out step reset": { make: () => taskShop(TIMED_OUT), effect: becomes("Pending") },
  "verification-timed-out step skip": {
    make: () => taskShop(TIMED_OUT),
    effect: leaves(statusOf, "Blocked"),
  },
  "agent-timed-out step retry": { make: () => taskShop(AGENT_TIMEOUT), effect: becomes("Pending") },
  "agent-timed-out step break-down": {
    make() {
      const shop = taskShop(AGENT_TIMEOUT, speaking("claude"));
      const said = "### North wall\n\nBricks first.\n\n- [ ] bricks\n\n### South wall\n\n- [ ] mortar";
      writeFileSync(shop.path("script.json"), JSON.stringify({ speak: "claude", runs: [[{ say: said }]] }));
      return shop;
    },
    async effect(shop) {
      await becomes("Broken Down")(shop);
      await patiently(() => shop.steps().length === 3);
      expect(shop.steps()).toEqual(["task-1 pending", "1_1 pending", "1_2 pending"]);
    },
  },
  "agent-timed-out step skip": { make: () => taskShop(AGENT_TIMEOUT), effect: leaves(statusOf, "Blocked") },
  "landing-rejected step retry": {
    make: () => stopped("blocked", "landing_rejected"),
    effect: stands("pending"),
  },
  "landing-rejected step hold": {
    make: () => stopped("blocked", "landing_rejected"),
    effect: stands("on_hold"),
  },
  "landing-rejected step skip": {
    make: () => stopped("blocked", "landing_rejected"),
    effect: leaves(firstStep, "step-1 blocked"),
  },
  "full-check-failed full reopen": { make: fullyBroken, effect: stands("pending") },
  "full-check-failed full revert": {
    make: fullyBroken,
    async effect(shop) {
      await patiently(() => firstStep(shop) === "step-1 on_hold");
      expect(shop.repo.git("ls-tree", "--name-only", "pawl/plan")).not.toContain("broken.txt");
    },
  },
  "full-check-failed full leave": {
    make: fullyBroken,
    async effect(shop, page) {
      await page.waitForSelector("text=A person decided to leave it");
      expect(firstStep(shop)).toBe("step-1 completed");
    },
  },
  "stale-in-progress step continue": {
    make: () => taskShop(STALE),
    async effect(shop, page) {
      await page.waitForSelector("text=Nothing waits for a person");
      expect(statusOf(shop)).toBe("In Progress");
      expect(shop.json("recover", "--dry-run").data.findings).toEqual([]);
    },
  },
  "stale-in-progress step reset": { make: () => taskShop(STALE), effect: becomes("Pending") },
  "stale-in-progress step hold": { make: () => taskShop(STALE), effect: becomes("On Hold") },
  "orphaned-worktree worktree recreate": {
    make: worktreeGone,
    effect: (shop) => patiently(() => existsSync(join(treeOf(shop), "plan.md"))),
  },
  "orphaned-worktree worktree clean": {
    make: worktreeGone,
    async effect(shop) {
      await patiently(() => !shop.repo.git("worktree", "list").includes("worktrees/plan"));
      expect(shop.repo.git("branch", "--list", "pawl/plan")).toContain("pawl/plan");
    },
  },
  "orphaned-worktree worktree keep": {
    make: worktreeGone,
    effect: leaves((shop) => shop.repo.git("worktree", "list").includes("worktrees/plan"), true),
  },
  "orphaned-worktree session recreate": {
    make: withoutWorktree,
    async effect(shop) {
      await patiently(() => existsSync(join(shop.worktree(), "plan.md")));
      expect(sessionsOf(shop)).toEqual(["interrupted"]);
    },
  },
  "orphaned-worktree session clean": {
    make: withoutWorktree,
    effect: (shop) => patiently(() => sessionsOf(shop)[0] === "abandoned"),
  },
  "damaged-branch branch move-back": {
    make: contentLost,
    effect: (shop) =>
      patiently(() => {
        const tips = ["main", "pawl/plan", "pawl/plan-w1"].map((name) => shop.repo.git("rev-parse", name));
        return tips.slice(1).includes(tips[0]!);
      }),
  },
  "damaged-branch branch keep": { make: contentLost, effect: leaves(firstStep, "step-1 completed") },
  "lost-commit landed reopen": {
    make: contentLost,
    effect: (shop) => patiently(() => firstStep(shop) === "step-1 pending"),
  },
  "lost-commit landed keep": { make: contentLost, effect: leaves(firstStep, "step-1 completed") },
  "steps-off-branch branch bring-back": {
    make: offBranch,
    effect: (shop) => patiently(() => shop.commits().length === 3),
  },
  "steps-off-branch branch reopen": {
    make: offBranch,
    effect: (shop) => patiently(() => lastStep(shop) === "step-3 pending"),
  },
  "steps-off-branch branch keep": { make: offBranch, effect: leaves(lastStep, "step-3 completed") },
  "orphaned-worktree session keep": { make: withoutWorktree, effect: leaves(sessionsOf, ["interrupted"]) },
};

/** As the labels of the terminal say it: the key, and the words before the brackets. */
const buttonOf = (repair: RepairName): string =>
  REPAIRS[repair].label.replace(/^\[(.)\] /, "$1 ").replace(/ \(.*$/, "");

describe("every choice of recovery", () => {
  it("is clicked here", () => {
    const offered = diagnose([...everySituation()]).flatMap(({ rule, seen, choices = [] }) =>
      choices.map((choice) => `${rule} ${seen.kind} ${choice.do}`),
    );
    expect(Object.keys(CASES).toSorted()).toEqual([...new Set(offered)].toSorted());
  });

  it.each(Object.keys(CASES))("%s", async (name) => {
    const [rule = "", , repair = ""] = name.split(" ");
    const words = `${buttonOf(repair as RepairName)}:`;
    const complaints = await clicked(browser, CASES[name]!, async (page) => {
      const card = page.locator(`.finding[data-rule='${rule}']`).first();
      await card.waitFor();
      if (repair === "show") await card.getByRole("link", { name: words }).click();
      else await press(page, card.getByRole("button", { name: words }));
    });
    expect(complaints).toEqual([]);
  });
});

/** What the page offers where a rule only tells, or no rule is: by what it stands at, and the action. */
const OFFERS: Readonly<Record<string, Case & { readonly label: string }>> = {
  "verification-escalated verify": { make: escalated, label: "Verify again", effect: stands("completed") },
  "verification-escalated retry": { make: escalated, label: "Retry", effect: stands("pending") },
  "verification-escalated hold": { make: escalated, label: "Put on hold", effect: stands("on_hold") },
  "paused-by-limit resume": { make: paused, label: "Resume", effect: stands("completed") },
  "paused-by-limit abandon": {
    make: paused,
    label: "Abandon",
    effect: (shop) => patiently(() => sessionsOf(shop)[0] === "abandoned"),
  },
  "step-blocked retry": {
    make: () => stopped("blocked", "commit_refused"),
    label: "Retry",
    effect: stands("pending"),
  },
  "step-blocked hold": {
    make: () => stopped("blocked", "commit_refused"),
    label: "Put on hold",
    effect: stands("on_hold"),
  },
  "waiting-to-land retry": {
    make: () => stopped("blocked", "waiting_to_land"),
    label: "Retry",
    effect: stands("pending"),
  },
  "waiting-to-land hold": {
    make: () => stopped("blocked", "waiting_to_land"),
    label: "Put on hold",
    effect: stands("on_hold"),
  },
  "step-on-hold retry": { make: () => stopped("held"), label: "Retry", effect: stands("pending") },
};

describe("every action that is offered beside them", () => {
  it("is clicked here", () => {
    const offered = Object.entries<Rule>(RULES).map(
      ([rule, { reported }]) => [rule, reported?.actions ?? []] as const,
    );
    expect(Object.keys(OFFERS).toSorted()).toEqual(
      offered.flatMap(([rule, actions]) => actions.map((action) => `${rule} ${action}`)).toSorted(),
    );
  });

  it.each(Object.keys(OFFERS))("%s", async (name) => {
    const [rule = ""] = name.split(" ");
    const { label, ...rest } = OFFERS[name]!;
    const complaints = await clicked(browser, rest, async (page) => {
      const place = page.locator(`[data-rule='${rule}']`).first();
      await place.waitFor();
      await press(page, place.getByRole("button", { name: `${label}:` }));
    });
    expect(complaints).toEqual([]);
  });
});
