import { join } from "node:path";
import type { Browser, Page, Route } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { browserForTests } from "../support/browser.ts";
import { planText } from "../support/plans.ts";
import { type RunShop, runShop, THREE } from "../support/run-shop.ts";
import { openWindow, startUi } from "../support/ui-shop.ts";
import { withDatabase } from "../support/world.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await browserForTests();
});
afterAll(() => browser.close());

function addLines(shop: RunShop, count: number): void {
  withDatabase(join(shop.repo.path, ".git/pawl/state.db"), (connection) =>
    connection
      .prepare(
        `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})
         insert into events (at, plan_path, anchor, event, detail)
         select '2026-01-01T00:00:00.000Z', 'plan.md', 'step-1', 'claimed', '{}' from n`,
      )
      .run(),
  );
}

const LIST = "document.querySelector('.journal .windowed')";

/** How far down a person reads, and which line is where. */
const placeOf = (page: Page) =>
  page.evaluate<{ readonly top: number; readonly line: string; readonly y: number }>(`(() => {
    const list = ${LIST};
    const { left, top } = list.getBoundingClientRect();
    const line = document.elementFromPoint(left + 40, top + 3.5 * 34).closest("li");
    return { top: list.scrollTop, line: line.getAttribute("aria-posinset"), y: line.getBoundingClientRect().top };
  })()`);

/** What it says, without its time, which advances. */
const textBelow = (page: Page) =>
  page.evaluate<string>(`(() => {
    const list = ${LIST};
    const { left, top } = list.getBoundingClientRect();
    return document.elementFromPoint(left + 40, top + 3.5 * 34).closest("li").querySelector(".more").innerText;
  })()`);

async function reading() {
  const shop = runShop(THREE);
  shop.json("state", "init", "plan.md");
  addLines(shop, 150);
  shop.json("state", "hold", "plan.md", "step-3", "--reason", "the line that is read");
  addLines(shop, 60);
  const { page, go, complaints } = await openWindow(browser, (await startUi(shop)).link);
  await go("journal");
  await page.waitForSelector(".event-line");
  await page.evaluate(`${LIST}.scrollTop = 34 * 57`);
  await page.waitForSelector(".event-line:has-text('the line that is read')");
  return { shop, page, complaints };
}

describe("the journal", () => {
  it("stays where it is read, counts what is new, and shows it on request", async () => {
    const { shop, page, complaints } = await reading();
    const place = await placeOf(page);
    shop.json("state", "hold", "plan.md", "step-2");
    await page.waitForSelector(".newer:has-text('1 new')");
    shop.json("state", "retry", "plan.md", "step-2");
    await page.waitForSelector(".newer:has-text('2 new')");
    expect(await placeOf(page)).toEqual(place);
    expect(await textBelow(page)).toContain("the line that is read");
    await page.locator(".newer").click();
    await page.waitForSelector(".newer", { state: "detached" });
    await page.waitForSelector("li[aria-posinset='1'] .event-line:has-text('retried')");
    await page.waitForSelector("li[aria-posinset='2'] .event-line:has-text('held')");
    expect(await page.evaluate(`${LIST}.scrollTop`)).toBe(0);
    // Who is at the top sees what comes.
    shop.json("state", "hold", "plan.md", "step-2");
    await page.waitForSelector("li[aria-posinset='1'] .event-line:has-text('held')");
    expect(await page.locator(".newer").count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it("shows what is new to who scrolls back by themselves, each line once", async () => {
    const { shop, page } = await reading();
    shop.json("state", "hold", "plan.md", "step-2");
    await page.waitForSelector(".newer:has-text('1 new')");
    await page.evaluate(`${LIST}.scrollTop = 0`);
    await page.waitForSelector("li[aria-posinset='1'] .event-line:has-text('held')");
    await page.waitForSelector("li[aria-posinset='2'] .event-line:has-text('claimed')");
    expect(await page.locator(".newer").count()).toBe(0);
  });

  it("shows a line once that is reported while the page of it is on its way", async () => {
    const shop = runShop(THREE);
    shop.json("state", "init", "plan.md");
    addLines(shop, 60);
    const { page, go } = await openWindow(browser, (await startUi(shop)).link);
    await page.waitForSelector("main");
    const asked = new Promise<() => void>((resolve) => {
      const hold = async (route: Route) => {
        await new Promise<void>((letGo) => resolve(letGo));
        await route.continue();
      };
      void page.route("**/api/journal**", hold, { times: 1 });
    });
    await go("journal");
    const letGo = await asked;
    shop.json("state", "hold", "plan.md", "step-2");
    await page.waitForSelector(".event-line:has-text('held')");
    letGo();
    await page.waitForSelector(".event-line:has-text('claimed')");
    expect(await page.locator(".event-line:has-text('held')").count()).toBe(1);
  });

  it("keeps no more than it can, and begins anew for who was away for long", async () => {
    const { shop, page } = await reading();
    const place = await placeOf(page);
    addLines(shop, 2500);
    await page.waitForSelector(".newer:has-text('New lines')");
    expect(await placeOf(page)).toEqual(place);
    shop.json("state", "hold", "plan.md", "step-2");
    await page.locator(".newer").click();
    await page.waitForSelector("li[aria-posinset='1'] .event-line:has-text('held')");
    await page.waitForSelector("li[aria-posinset='2'] .event-line:has-text('claimed')");
  });
});

describe("a board in a window of 400", () => {
  it("is scrolled down and never sideways, whatever its steps are called", async () => {
    const shop = runShop();
    const steps = Array.from({ length: 30 }, (_, index) => ({
      number: String(index + 1),
      title: index % 2 === 0 ? "unbreakable".repeat(18) : `Work ${index + 1}`,
      tasks: ["do it"],
      ...(index > 5 ? { dependsOn: [`step-${index}`] } : {}),
    }));
    shop.repo.write("wide-plan.md", planText(steps, "A".repeat(200)));
    shop.json("state", "init", "wide-plan.md");
    shop.json("state", "hold", "wide-plan.md", "step-2");
    const { page, go, complaints } = await openWindow(browser, (await startUi(shop)).link, {
      viewport: { width: 400, height: 780 },
    });
    await go("plan", "wide-plan.md", "board");
    await page.waitForSelector(".column.stopped [data-anchor='step-2']");
    const wide = await page.evaluate(`[document.documentElement, document.body, ...document.querySelectorAll(
      "main, .board, .column, .column .windowed")].filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.className || one.tagName)`);
    expect(wide).toEqual([]);
    const columns = await page.locator(".column").all();
    expect(columns).toHaveLength(6);
    for (const column of columns) {
      await column.scrollIntoViewIfNeeded();
      const { x, width } = (await column.boundingBox())!;
      expect(x).toBeGreaterThanOrEqual(0);
      expect(x + width).toBeLessThanOrEqual(400);
      expect(width).toBeGreaterThan(340);
    }
    await page.locator(".column.done.folded h2 button").click();
    await page.waitForSelector(".column.done .none");
    expect(complaints).toEqual([]);
  });
});
