import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { browserForTests } from "../support/browser.ts";
import { runShop } from "../support/run-shop.ts";
import { addAxe, problemsOf } from "../support/axe.ts";
import { lives } from "../support/supervised.ts";
import { openWindow, startUi } from "../support/ui-shop.ts";
import { until } from "../support/until.ts";
import { query } from "../support/world.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await browserForTests();
});
afterAll(() => browser.close());

/** Every view with nothing in it says why, and what to do. */
const EMPTY: readonly (readonly [name: string, place: readonly string[], says: string])[] = [
  ["overview", [], "There is no plan here yet"],
  ["sessions", ["sessions"], "No agent has worked here yet"],
  ["timeline", ["timeline"], "Nothing has run yet"],
  ["worktrees", ["worktrees"], "Only your own checkout"],
  ["journal", ["journal"], "Nothing has happened yet"],
  ["doctor", ["doctor"], "git"],
];

describe.each(["light", "dark"] as const)("a repository without anything, in %s", (theme) => {
  it("has a word for each view, and locks no one out", async () => {
    const shop = runShop();
    rmSync(join(shop.repo.path, "plan.md"));
    const { link } = await startUi(shop);
    const window = await openWindow(browser, link, { colorScheme: theme, bypassCSP: true });
    await window.page.waitForSelector("h1");
    await addAxe(window.page);
    for (const [name, place, says] of EMPTY) {
      await window.go(...place);
      await window.page.waitForSelector(`main :text(${JSON.stringify(says)})`);
      expect({ name, problems: await problemsOf(window.page) }).toEqual({ name, problems: [] });
    }
    expect(window.complaints).toEqual([]);
  });
});

it("tries the demo in a repository of its own, on a page of its own, and leaves this one alone", async () => {
  const temporary = mkdtempSync(join(tmpdir(), "pawl-page-demo-"));
  onTestFinished(() => rmSync(temporary, { recursive: true, force: true }));
  const shop = runShop(undefined, undefined, { DEMO_PACE: "0", TMPDIR: temporary });
  rmSync(join(shop.repo.path, "plan.md"));
  const before = shop.repo.git("status", "--porcelain", "--ignored");
  const { link } = await startUi(shop);
  const { page, context, complaints } = await openWindow(browser, link, { bypassCSP: true });
  await page.getByRole("button", { name: "Try the demo" }).click();
  await page.waitForSelector(".what li:has-text('calls no model and costs nothing')");
  await page.waitForSelector(".what li:has-text('This repository is not touched')");
  await addAxe(page);
  expect(await problemsOf(page)).toEqual([]);
  expect(readdirSync(temporary).filter((name) => name.startsWith("pawl-demo-"))).toEqual([]);
  await page.locator(".deciders button.first").click();
  await page.waitForSelector("h2:has-text('The demo is running')");
  expect(await problemsOf(page)).toEqual([]);
  const [demo] = await Promise.all([
    context.waitForEvent("page"),
    page.getByRole("link", { name: "Open its page" }).click(),
  ]);
  await demo.waitForSelector(".card.plan:has-text('Open a shop (demo)')");
  await demo.waitForSelector(".card.plan:has-text('10/10')", { timeout: 120_000 });
  const folder = readdirSync(temporary).find((name) => name.startsWith("pawl-demo-")) ?? "";
  const database = join(temporary, folder, ".git/pawl/state.db");
  const [session] = query(database, "select pid from sessions limit 1");
  expect(shop.repo.git("status", "--porcelain", "--ignored")).toBe(before);
  expect(complaints).toEqual([]);
  await demo.close();
  await until(() => !lives(Number(session!["pid"])));
});

it("offers to read a plan that is there and has no state, at its own address as well", async () => {
  const shop = runShop();
  const { page, go } = await openWindow(browser, (await startUi(shop)).link);
  await page.waitForSelector(".card.unread:has-text('plan.md')");
  await go("plan", "plan.md", "board");
  await page.waitForSelector("h1:has-text('This plan has no state yet')");
  await page.getByRole("button", { name: /^Read this plan/ }).click();
  await page.locator(".deciders button.first").click();
  await page.waitForSelector(".column.ready [data-anchor='step-1']");
  expect(shop.steps()).toEqual(["step-1 pending", "step-2 pending", "step-3 pending"]);
});
