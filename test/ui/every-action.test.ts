import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ACTIONS } from "../../src/web/actions/index.ts";
import { browserForTests } from "../support/browser.ts";
import { type Case, clicked, press } from "../support/clicks.ts";
import { AGENT, type RunShop, runShop, untilWritten } from "../support/run-shop.ts";
import {
  speaking,
  becomes,
  interrupted,
  treeOf,
  sessionsOf,
  snapshotsOf,
  escalated,
  stopped,
  claimed,
  completed,
  ownerGone,
  fileBehind,
  spoilt,
  built,
  stands,
  patiently,
} from "../support/stuck-shops.ts";
import { moveTo } from "../support/ui-shop.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await browserForTests();
});
afterAll(() => browser.close());

const inStep = () => ["plan", "plan.md", "step", "step-1"];
const inPlan = () => ["plan", "plan.md", "board"];
const inSession = (shop: RunShop) => ["sessions", String(shop.query("select id from sessions")[0]!["id"])];

const stepStands =
  (status: string, event: string): Case["effect"] =>
  async (shop) => {
    await stands(status)(shop);
    expect(shop.query(`select event from events where event = '${event}'`)).toHaveLength(1);
  };

const allDone: Case["effect"] = async (shop) => {
  await patiently(() => shop.steps().every((line) => line.endsWith(" completed")));
  expect(shop.commits()).toEqual(["step-1", "step-2", "step-3"]);
};

interface Placed extends Case {
  readonly label: string;
  readonly place: (shop: RunShop) => readonly string[];
}

/** Every action, where a person finds it. */
const PLACED: Readonly<Record<string, Placed>> = {
  verify: { make: escalated, place: inStep, label: "Verify again", effect: stands("completed") },
  retry: {
    make: () => stopped("held"),
    place: inStep,
    label: "Retry",
    effect: stepStands("pending", "retried"),
  },
  tell: {
    make: claimed,
    place: inStep,
    label: "Send a message",
    effect: stepStands("claimed", "message-sent"),
  },
  hold: { make: claimed, place: inStep, label: "Put on hold", effect: stepStands("on_hold", "held") },
  release: { make: claimed, place: inStep, label: "Release", effect: stepStands("pending", "released") },
  reset: { make: claimed, place: inStep, label: "Reset", effect: stepStands("pending", "reset") },
  reopen: { make: completed, place: inStep, label: "Reopen", effect: stepStands("pending", "reopened") },
  resume: { make: interrupted, place: inSession, label: "Resume", effect: allDone },
  abandon: {
    make: interrupted,
    place: inSession,
    label: "Abandon",
    effect: (shop) => patiently(() => sessionsOf(shop)[0] === "abandoned"),
  },
  restore: {
    make: spoilt,
    place: inSession,
    label: "Restore its work",
    async effect(shop) {
      await patiently(() => readFileSync(join(shop.worktree(), "half.txt"), "utf8") === "half");
      expect(snapshotsOf(shop).map((ref) => shop.repo.git("show", `${ref}:half.txt`))).toContain("spoilt");
    },
  },
  clean: {
    make() {
      const shop = runShop();
      shop.json("worktree", "create", "plan.md");
      writeFileSync(join(treeOf(shop), "half.txt"), "half");
      return shop;
    },
    place: () => ["worktrees"],
    label: "Clean up",
    async effect(shop) {
      await patiently(() => !existsSync(treeOf(shop)));
      expect(snapshotsOf(shop).map((ref) => shop.repo.git("show", `${ref}:half.txt`))).toEqual(["half"]);
      expect(shop.repo.git("branch", "--list", "pawl/plan")).toContain("pawl/plan");
    },
  },
  run: {
    make() {
      const shop = runShop(undefined, speaking("command"));
      shop.json("state", "init", "plan.md");
      return shop;
    },
    place: inPlan,
    label: "Run",
    effect: allDone,
  },
  merge: {
    make: built,
    place: inPlan,
    label: "Merge",
    effect: (shop) => patiently(() => existsSync(join(shop.repo.path, "work/step-3.txt"))),
  },
  read: {
    make: () => runShop(),
    place: inPlan,
    label: "Read this plan",
    effect: (shop) =>
      patiently(() => existsSync(join(shop.repo.path, ".git/pawl/state.db")) && shop.steps().length === 3),
  },
  create: {
    make() {
      const shop = runShop();
      shop.repo.git("rm", "-q", "plan.md");
      return shop;
    },
    place: () => [],
    label: "Create a plan",
    effect: (shop) => patiently(() => existsSync(join(shop.repo.path, "my-plan.md"))),
  },
  add: {
    make() {
      const shop = runShop();
      shop.json("state", "init", "plan.md");
      return shop;
    },
    place: inPlan,
    label: "Add a step",
    effect: (shop) =>
      patiently(() => readFileSync(join(shop.repo.path, "plan.md"), "utf8").includes("Step 4: one more")),
  },
  redo: {
    make: () => stopped("blocked", "merge_conflict"),
    place: inStep,
    label: "Redo on top of the newer work",
    effect: stepStands("pending", "retried"),
  },
  merged: {
    make: () => stopped("blocked", "merge_conflict"),
    place: inStep,
    label: "I merged it by hand",
    // There is no work that could be verified, so it stays where it is.
    effect: stands("blocked"),
  },
  stop: {
    async make() {
      const shop = runShop();
      shop.script({ steps: { "step-1": [[{ write: "half.txt" }, { hang: true }]] } });
      shop.start("run", "plan.md", ...AGENT);
      await untilWritten(join(shop.worktree(), "half.txt"));
      return shop;
    },
    place: inSession,
    label: "Stop",
    effect: (shop) => patiently(() => sessionsOf(shop)[0] === "interrupted"),
  },
  fix: {
    make: fileBehind,
    place: () => ["doctor"],
    label: "Fix what Pawl can fix",
    effect: becomes("On Hold"),
  },
  repair: {
    make: ownerGone,
    place: () => [],
    label: "Repair automatically",
    async effect(shop) {
      await stands("pending")(shop);
      expect(snapshotsOf(shop).map((ref) => shop.repo.git("show", `${ref}:half.txt`))).toContain("half");
    },
  },
};

describe("every action of the page", () => {
  it("is clicked here, or where its own tests are", () => {
    expect([...Object.keys(PLACED), "decide", "demo"].toSorted()).toEqual(
      ACTIONS.map(({ name }) => name).toSorted(),
    );
  });

  it.each(Object.keys(PLACED))("%s", async (name) => {
    const { label, place, ...rest } = PLACED[name]!;
    const complaints = await clicked(browser, rest, async (page, shop) => {
      await moveTo(page, `#/${place(shop).map(encodeURIComponent).join("/")}`);
      await press(page, page.getByRole("button", { name: new RegExp(`^${label}(:|$)`) }).first());
    });
    expect(complaints).toEqual([]);
  });
});
