import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { browserForTests } from "../support/browser.ts";
import { runShop } from "../support/run-shop.ts";
import { speaking } from "../support/stuck-shops.ts";
import { openWindow, startUi } from "../support/ui-shop.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await browserForTests();
});
afterAll(() => browser.close());

async function openDialog(page: Page): Promise<void> {
  await page.getByRole("button", { name: /^Run(:|$)/ }).click();
  await page.waitForSelector(".what li");
}

const values = async (page: Page): Promise<readonly string[]> => [
  await page.getByLabel("Workers").inputValue(),
  await page.getByLabel("Steps at most").inputValue(),
];

it("shows the command for what is chosen, and remembers what a run was started with, and nothing else", async () => {
  const shop = runShop(undefined, speaking("command"));
  shop.json("state", "init", "plan.md");
  const { page, go, complaints } = await openWindow(browser, (await startUi(shop)).link);
  await go("plan", "plan.md", "board");
  await openDialog(page);
  expect(await values(page)).toEqual(["", ""]);
  await page.getByLabel("Workers").fill("2");
  await page.getByLabel("Steps at most").fill("1");
  await page.waitForSelector(".copyable code:has-text('pawl run plan.md --workers 2 --max-steps 1')");
  await page.waitForSelector(".what li:has-text('2 of scripted start')");
  await page.locator(".deciders button.first").click();
  await page.waitForSelector(".column.done [data-anchor='step-1']");
  await go();
  await page.waitForSelector(".jobs li.done", { state: "attached" });
  await page.reload();
  await go("plan", "plan.md", "board");
  await openDialog(page);
  expect(await values(page)).toEqual(["2", "1"]);
  // A choice that starts no run is forgotten.
  await page.getByLabel("Workers").fill("3");
  await page.waitForSelector(".copyable code:has-text('--workers 3')");
  await page.getByRole("button", { name: "Cancel" }).click();
  await openDialog(page);
  expect(await values(page)).toEqual(["2", "1"]);
  expect(complaints).toEqual([]);
});
