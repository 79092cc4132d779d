import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { browserForTests } from "../support/browser.ts";
import { runShop } from "../support/run-shop.ts";
import { stopped } from "../support/stuck-shops.ts";
import { trainShop } from "../support/train-shop.ts";
import { openWindow, startUi } from "../support/ui-shop.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await browserForTests();
});
afterAll(() => browser.close());

describe("the train", () => {
  it("is on the overview and the plan while steps wait, and what landed says what verified it", async () => {
    const { shop, run, go: letGo } = await trainShop();
    const { page, go, complaints } = await openWindow(browser, (await startUi(shop)).link);
    const rows = page.locator(".train li");
    await page.waitForSelector(".train li[data-anchor='step-2']:has-text('behind step-1')");
    expect(await rows.locator(".badge").allInnerTexts()).toEqual(["verifying", "verified"]);
    await go("plan", "plan.md", "board");
    await page.waitForSelector(".train li[data-anchor='step-2']:has-text('verified')");
    await go("plan", "plan.md", "step", "step-2");
    await page.waitForSelector(".evidence-list li:has-text('second in the train of pawl/plan')");
    letGo();
    expect((await run.ended).code).toBe(0);
    const commit = shop.repo.git("rev-parse", "pawl/plan").slice(0, 10);
    await page.waitForSelector(`.panel.landing:has-text('Landed, verified'):has-text('${commit}')`);
    await page.waitForSelector(".panel.landing:has-text('sh check.sh')");
    await go("plan", "plan.md", "board");
    await page.waitForSelector(".step-card.done[data-anchor='step-2']");
    expect(await page.locator(".train, .step-card:has-text('not verified')").count()).toBe(0);
    await go("timeline", "plan.md");
    await page.waitForSelector(".landing-span[aria-label^='step-2 landed on pawl/plan as']");
    expect(await page.locator(".landing-span").count()).toBe(2);
    expect(complaints).toEqual([]);
  });
});

describe("a step that no check has verified", () => {
  it("is marked on the overview, on the board and on its own page", async () => {
    const shop = runShop([{ number: "1", tasks: ["dig"] }]);
    expect((await shop.run()).code).toBe(0);
    const { page, go, complaints } = await openWindow(browser, (await startUi(shop)).link);
    await page.waitForSelector(".card.plan:has-text('not verified')");
    await go("plan", "plan.md", "board");
    await page.waitForSelector(".step-card.done:has-text('not verified')");
    await go("plan", "plan.md", "step", "step-1");
    await page.waitForSelector(".heading .about:has-text('not verified')");
    await page.waitForSelector(".panel.landing:has-text('no check is configured')");
    expect(complaints).toEqual([]);
  });
});

describe("a step that clashes with what landed", () => {
  it.each([
    ["merge_conflict", "Redo on top of the newer work"],
    ["landing_rejected", "Retry"],
  ])("offers to start again first: %s", async (reason, offer) => {
    const shop = stopped("blocked", reason);
    const { page, go } = await openWindow(browser, (await startUi(shop)).link);
    if (reason === "merge_conflict")
      await page.waitForSelector(`[data-rule='step-blocked'] button.first:has-text('${offer}')`);
    await go("plan", "plan.md", "step", "step-1");
    const first = page.locator(".heading .choices button").first();
    await first.waitFor();
    expect(await first.innerText()).toBe(offer);
  });
});
