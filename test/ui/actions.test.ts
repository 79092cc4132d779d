import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { browserForTests } from "../support/browser.ts";
import { AGENT, GOOD, runShop, THREE, untilWritten } from "../support/run-shop.ts";
import { openWindow, startUi } from "../support/ui-shop.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await browserForTests();
});
afterAll(() => browser.close());

const settings = `agent = "command"\n[agents.command]\nprogram = ${JSON.stringify([AGENT[1], AGENT[2]])}\n`;
const HANG = [{ write: "half.txt", text: "half" }, { hang: true }];

/** Clicks a choice, reads what it says, and decides. */
async function choose(page: Page, name: string, says: string, reason?: string): Promise<void> {
  await page
    .getByRole("button", { name: new RegExp(`^${name}:`) })
    .first()
    .click();
  await page.waitForSelector(`.what li:has-text("${says}")`);
  if (reason !== undefined) await page.fill(".field.reason input", reason);
  await page.locator(".deciders button").last().click();
  await page.waitForSelector(".sheet", { state: "detached" });
}

describe("what a person can do with a step", () => {
  it("hold, retry, release, reset and reopen it, each with what it says beforehand", async () => {
    const shop = runShop();
    shop.json("state", "init", "plan.md");
    const { link } = await startUi(shop);
    const { page, go, complaints } = await openWindow(browser, link);
    await go("plan", "plan.md", "step", "step-1");
    await choose(page, "Put on hold", "no worker claims it");
    await page.waitForSelector(".badge:has-text('on hold')");
    await choose(page, "Retry", "becomes pending");
    await page.waitForSelector(".badge:has-text('ready')");
    shop.json("state", "claim", "plan.md", "--worktree", ".");
    await choose(page, "Release", "loses it", "another worker does it");
    await page.waitForSelector(".badge:has-text('ready')");
    shop.json("state", "claim", "plan.md", "--worktree", ".");
    await choose(page, "Reset", "open items are open again", "begun wrongly");
    await page.waitForSelector(".badge:has-text('ready')");
    const { data } = shop.json("state", "claim", "plan.md", "--worktree", ".");
    for (const verb of ["start", "update", "complete"])
      shop.json(
        "state",
        verb,
        "plan.md",
        data.anchor,
        "--worktree",
        ".",
        ...(verb === "update" ? ["--all", "completed"] : []),
      );
    await page.waitForSelector(".badge:has-text('completed')");
    await choose(page, "Reopen", "pending again", "it was the wrong wall");
    await page.waitForSelector(".badge:has-text('ready')");
    await page.waitForSelector(".why:has-text('it was the wrong wall')");
    const journal = shop.query("select event, detail from events where detail like '%reason%' order by id");
    expect(journal.map(({ event }) => event)).toEqual(["held", "retried", "released", "reset", "reopened"]);
    expect(complaints).toEqual([]);
  });

  it("verify it again once what was wrong is put right", async () => {
    const shop = runShop(
      [THREE[0]!],
      `${settings}[verify]\ncommand = ["sh", "-c", "test -e ../../../../right"]\n`,
    );
    expect((await shop.run()).code).toBe(5);
    const { link } = await startUi(shop);
    const { page } = await openWindow(browser, link);
    await page.waitForSelector("[data-rule='verification-escalated']:has-text('Attempts used up')");
    // What stays blocked was not done.
    await choose(page, "Verify again", "Pawl verifies it now");
    await page.waitForSelector(".jobs li.failed", { state: "attached" });
    await page.waitForSelector(".notes .bad");
    expect(await page.locator(".notes .good:has-text(': done'), .jobs li.done").count()).toBe(0);
    expect(shop.steps()).toEqual(["step-1 blocked"]);
    writeFileSync(shop.path("right"), "");
    await choose(page, "Verify again", "Pawl verifies it now");
    await page.waitForSelector(".card.plan:has-text('1/1')");
    expect(shop.steps()).toEqual(["step-1 completed"]);
  });
});

describe("what a person can do with what was interrupted", () => {
  it("bring its work back, abandon it, and clean up, with everything saved", async () => {
    const shop = runShop(undefined, settings);
    shop.script({ steps: { "step-1": [HANG] } });
    const { child, ended } = shop.start("run", "plan.md");
    const half = join(shop.worktree(), "half.txt");
    await untilWritten(half);
    child.kill("SIGTERM");
    await ended;
    const { link } = await startUi(shop);
    const { page, go } = await openWindow(browser, link);
    writeFileSync(half, "spoilt");
    await page.locator("[data-rule='interrupted-session'] a", { hasText: "Show it" }).click();
    await choose(page, "Restore its work", "are restored");
    await page.waitForSelector(".notes:has-text('restored to the worktree')");
    expect(readFileSync(half, "utf8")).toBe("half");
    await go();
    await choose(page, "A Abandon", "can no longer be resumed");
    await page.waitForSelector(".notes:has-text('abandoned; its uncommitted work is at')");
    await page.waitForSelector("text=Nothing waits for a person");
    await go("worktrees");
    await choose(page, "Clean up", "Pawl removes the folder");
    await page.waitForSelector("[data-worktree$='plan-w1']", { state: "detached" });
    expect(existsSync(shop.worktree())).toBe(false);
    const snapshots = shop.json("snapshot", "list").data.snapshots as readonly { ref: string }[];
    const kept = snapshots.map(({ ref }) => shop.repo.git("show", `${ref}:half.txt`));
    expect(kept).toContain("half");
    expect(kept).toContain("spoilt");
  });
});

describe("what a person can do with a plan", () => {
  it("read it, run it, and merge it", async () => {
    const shop = runShop(undefined, settings);
    shop.script({ runs: [GOOD] });
    const { link } = await startUi(shop);
    const { page, go } = await openWindow(browser, link);
    await page.getByRole("button", { name: "Read this plan" }).click();
    await page.waitForSelector(".what li");
    await page.locator(".deciders button.first").click();
    await page.waitForSelector(".card.plan:has-text('0/3')");
    await go("plan", "plan.md", "board");
    await choose(page, "Run", "command starts in a worktree of its own");
    await page.waitForSelector(".column.done [data-anchor='step-3']");
    await page.waitForSelector(".notes .good:has-text('done.')");
    await choose(page, "Merge", "gets 3 steps");
    await page.waitForSelector(".notes:has-text('Merged')");
    expect(existsSync(join(shop.repo.path, "work/step-3.txt"))).toBe(true);
  });

  it("learns why when it cannot be done", async () => {
    const shop = runShop();
    // Which agents are installed depends on the machine, so the settings name one.
    shop.repo.write("pawl.toml", 'agent = "mine"\n\n[agents.mine]\npreset = "command"\nprogram = ["true"]\n');
    shop.json("state", "init", "plan.md");
    const { link } = await startUi(shop);
    shop.repo.write("pawl.toml", 'agent = "nowhere"\n');
    const { page, go } = await openWindow(browser, link);
    await go("plan", "plan.md", "board");
    await page.getByRole("button", { name: /^Run:/ }).click();
    await page.waitForSelector(".trouble:has-text('nowhere')");
    expect(await page.locator(".deciders button").count()).toBe(1);
  });
});
