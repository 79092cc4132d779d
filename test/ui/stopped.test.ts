import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { browserForTests } from "../support/browser.ts";
import { AGENT, runShop, untilWritten } from "../support/run-shop.ts";
import { openWindow, startUi } from "../support/ui-shop.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await browserForTests();
});
afterAll(() => browser.close());

it("calls a runner that a person stopped so, in every place that names it", async () => {
  const shop = runShop();
  shop.script({ steps: { "step-1": [[{ write: "half.txt" }, { hang: true }]] } });
  const { child, ended } = shop.start("run", "plan.md", ...AGENT);
  await untilWritten(join(shop.worktree(), "half.txt"));
  child.kill("SIGSTOP");
  const { page, go, complaints } = await openWindow(browser, (await startUi(shop)).link);
  await page.waitForSelector(".progress-line:has-text('1 run stopped')");
  expect(await page.locator(".progress-line").innerText()).toMatch(
    /^0\/3 · 1 stopped · 2 wait for it · 1 run stopped$/,
  );
  await page.waitForSelector(".card.run .badge:has-text('stopped')");
  await go("sessions");
  await page.waitForSelector(".session-table .badge:has-text('stopped')");
  expect(await page.locator(".heading .about").innerText()).toContain("0 running");
  await go("timeline");
  await page.waitForSelector(".lifeline .badge:has-text('stopped')");
  await page.keyboard.press("/");
  await page.keyboard.type("session of");
  await page.waitForSelector(".palette li:has-text('stopped session of plan.md')");
  expect(complaints).toEqual([]);
  child.kill("SIGCONT");
  child.kill("SIGTERM");
  await ended;
});
