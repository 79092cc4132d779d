import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { browserForTests } from "../support/browser.ts";
import { AGENT, runShop } from "../support/run-shop.ts";
import { openWindow, startUi } from "../support/ui-shop.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await browserForTests();
});
afterAll(() => browser.close());

/** A browser that allows it, notes what it is to show, and has the page in the background. */
const BACKGROUND = `
  globalThis.shown = [];
  globalThis.Notification = class extends EventTarget {
    static permission = "granted";
    static requestPermission = async () => "granted";
    constructor(title) { super(); shown.push(title); }
    close() {}
  };
  Object.defineProperty(document, "hidden", { get: () => true });`;

it("a browser notifies only a person who asked for it: of what needs them, and of a run that ended", async () => {
  const shop = runShop([{ number: "1", tasks: ["dig"] }]);
  shop.json("state", "init", "plan.md");
  const { page, context, complaints } = await openWindow(browser, (await startUi(shop)).link);
  await page.waitForSelector("text=Nothing waits for a person");
  await context.addInitScript(BACKGROUND);
  await page.reload();
  await page.waitForSelector("text=Nothing waits for a person");
  const shown = () => page.evaluate<readonly string[]>("globalThis.shown");
  const edit = (from: string, to: string) =>
    shop.repo.write("plan.md", readFileSync(join(shop.repo.path, "plan.md"), "utf8").replace(from, to));
  edit("dig", "dig deeper");
  await page.waitForSelector(".finding");
  expect(await page.title()).toMatch(/^\(1\) /);
  expect(await shown()).toEqual([]);
  edit("dig deeper", "dig");
  await page.waitForSelector("text=Nothing waits for a person");
  await page.keyboard.press("/");
  await page.waitForSelector("[role=combobox]:focus");
  await page.keyboard.type("notify");
  await page.keyboard.press("Enter");
  await page.waitForSelector("text=This page notifies you when something needs you, or a run ends.");
  edit("dig", "dig deeper");
  await expect.poll(shown, { timeout: 30_000 }).toEqual(["repo: 1 thing needs you"]);
  edit("dig deeper", "dig");
  await page.waitForSelector("text=Nothing waits for a person");
  const wait = shop.path("seen");
  shop.script({ runs: [[{ waitFor: wait }, { write: "a.txt", text: "secret-4711" }, { tick: "all" }]] });
  const { ended } = shop.start("run", "plan.md", ...AGENT);
  await page.waitForSelector(".card.run.running");
  expect(await page.locator("link[rel=icon]").getAttribute("href")).toBe("/pawl-works.svg");
  shop.repo.write("../seen", "");
  expect(await ended).toMatchObject({ code: 0 });
  await expect.poll(shown, { timeout: 30_000 }).toContain("repo: the run of plan.md has ended");
  expect((await shown()).join("\n")).not.toContain("secret-4711");
  expect(complaints).toEqual([]);
});
