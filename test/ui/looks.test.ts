import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeShowcase, type Showcase } from "../../scripts/showcase.mjs";
import { browserForTests } from "../support/browser.ts";
import { planText } from "../support/plans.ts";
import { runShop } from "../support/run-shop.ts";
import { openWindow, startUi } from "../support/ui-shop.ts";

let browser: Browser;
let show: Showcase;
beforeAll(async () => {
  [browser, show] = await Promise.all([browserForTests(), makeShowcase()]);
});
afterAll(async () => {
  await browser.close();
  await show.close();
});

const CHECKOUT = "docs/checkout-plan.md";

/** The texts of elements that are wider than their place. */
const cutOff = (page: Page, selector: string): Promise<readonly string[]> =>
  page.evaluate(
    `[...document.querySelectorAll(${JSON.stringify(selector)})]
      .filter((one) => one.scrollWidth > one.clientWidth)
      .map((one) => one.textContent)`,
  );

const widthsOf = (page: Page, selector: string): Promise<readonly number[]> =>
  page.evaluate(
    `[...document.querySelectorAll(${JSON.stringify(selector)})].map((one) => one.getBoundingClientRect().width)`,
  );

describe("a window between a phone's and a screen's", () => {
  it.each([780, 900, 1100])("of %i pixels shows titles, names and facts", async (width) => {
    const { link } = await show.serve();
    const { page, go } = await openWindow(browser, link, { viewport: { width, height: 760 } });
    await go("plan", CHECKOUT, "list");
    await page.waitForSelector(".step-row");
    expect(Math.min(...(await widthsOf(page, ".step-row .title")))).toBeGreaterThan(160);
    await go("journal");
    await page.waitForSelector(".event-line");
    expect(Math.min(...(await widthsOf(page, ".event-line .more")))).toBeGreaterThan(100);
    await go("plan", CHECKOUT, "board");
    await page.waitForSelector(".step-card");
    expect(await cutOff(page, ".step-card .anchor")).toEqual([]);
    await page.waitForSelector(".working .facts");
  });

  it("marks the plan that is open, also from one of its steps", async () => {
    const { link } = await show.serve();
    const { page, go } = await openWindow(browser, link);
    const marked = ".nav-plans a[aria-current='page']:has-text('A checkout')";
    await go("plan", CHECKOUT, "graph");
    await page.waitForSelector(marked);
    await go("plan", CHECKOUT, "step", "step-5");
    await page.waitForSelector(marked);
    await go("worktrees");
    await page.waitForSelector(marked, { state: "detached" });
    expect(await page.locator(".nav a[aria-current]").allTextContents()).toEqual(["Worktrees"]);
  });
});

describe("a name that is long", () => {
  it("leaves those beside it on one line, and buttons in one row", async () => {
    const shop = runShop();
    const path = `${"settlement-and-reconciliation-".repeat(3)}plan.md`;
    const unread = "unread-plan.md";
    for (const name of [path, unread]) shop.repo.write(name, planText([{ number: "1", tasks: ["one"] }]));
    shop.json("state", "init", path);
    const { page, go } = await openWindow(browser, (await startUi(shop)).link, {
      viewport: { width: 400, height: 780 },
    });
    const boxOf = async (selector: string) => (await page.locator(selector).boundingBox())!;
    await go("plan", path, "step", "step-1");
    const [plan, step] = [await boxOf(".crumbs a"), await boxOf(".crumbs > span")];
    expect(plan.height).toBeGreaterThan(1.5 * step.height);
    await go("plan", unread, "board");
    const [read, all] = [await boxOf(".empty button"), await boxOf(".empty a.button")];
    expect([read.y, read.height]).toEqual([all.y, all.height]);
  });
});

describe("a person who uses the keyboard, enlarges or prints", () => {
  it("sees where they are, also inside of what is cut off at its edges", async () => {
    const { link } = await show.serve();
    const { page, go } = await openWindow(browser, link);
    const ring = (): Promise<unknown> =>
      page.evaluate(`(() => {
        const { outlineStyle, outlineOffset } = getComputedStyle(document.activeElement);
        return { outlineStyle, outlineOffset };
      })()`);
    for (const [way, selector] of [
      ["list", ".step-row"],
      ["board", ".step-card"],
      ["graph", ".graph-box"],
    ] as const) {
      await go("plan", CHECKOUT, way);
      await page.locator(selector).first().focus();
      await page.keyboard.press("Shift+Tab");
      await page.keyboard.press("Tab");
      expect({ way, ...((await ring()) as object) }).toEqual({
        way,
        outlineStyle: "solid",
        outlineOffset: "-2px",
      });
    }
  });

  it("reads the graph at 200 %, and no step of it lies below a button", async () => {
    const { link } = await show.serve();
    const { page, go } = await openWindow(browser, link, { viewport: { width: 720, height: 450 } });
    await go("plan", CHECKOUT, "graph");
    await page.waitForSelector(".node .title");
    const tools = (await page.locator(".graph-tools").boundingBox())!;
    for (const node of await page.locator(".node").all()) {
      const box = (await node.boundingBox())!;
      expect(box.x + box.width <= tools.x || box.y >= tools.y + tools.height).toBe(true);
    }
  });

  it("gets light paper with what is there, and nothing to press", async () => {
    const { link } = await show.serve();
    const { page, go } = await openWindow(browser, link, { colorScheme: "dark" });
    await go("plan", CHECKOUT, "list");
    await page.waitForSelector(".step-row");
    const seen = (): Promise<unknown> =>
      page.evaluate(`({
        text: getComputedStyle(document.querySelector(".step-row")).color,
        pressed: [...document.querySelectorAll("button, input, nav")].filter((one) => one.offsetParent).length,
      })`);
    expect(await seen()).toMatchObject({ text: "rgb(231, 232, 235)" });
    await page.emulateMedia({ media: "print" });
    expect(await seen()).toEqual({ text: "rgb(28, 30, 34)", pressed: 0 });
  });
});

describe("what is written from right to left", () => {
  it("begins where it is read from, and is cut off at its end", async () => {
    const shop = runShop();
    const title =
      "إعادة كتابة محلل الأوامر بحيث يقبل المدخلات من اليمين إلى اليسار دائما وفي كل مكان من الصفحة";
    shop.repo.write("rtl-plan.md", planText([{ number: "1", title, tasks: [title] }], title));
    shop.json("state", "init", "rtl-plan.md");
    const { page, go } = await openWindow(browser, (await startUi(shop)).link, {
      viewport: { width: 900, height: 700 },
    });
    /** Whether the first letter stands inside of its element, and at its right. */
    const beginsInside = (selector: string): Promise<unknown> =>
      page.evaluate(`(() => {
        const element = document.querySelector(${JSON.stringify(selector)});
        const range = document.createRange();
        range.setStart(element.firstChild, 0);
        range.setEnd(element.firstChild, 1);
        const [letter, box] = [range.getBoundingClientRect(), element.getBoundingClientRect()];
        return letter.left >= box.left && letter.right <= box.right + 1 && box.right - letter.right < box.width / 4;
      })()`);
    for (const [way, selector] of [
      ["list", ".step-row .title"],
      ["list", ".item-row .text"],
      ["graph", ".node .title"],
      ["board", ".step-card .title"],
      ["board", ".nav-plans .name"],
    ] as const) {
      await go("plan", "rtl-plan.md", way);
      await page.waitForSelector(selector);
      expect({ selector, isRead: await beginsInside(selector) }).toEqual({ selector, isRead: true });
    }
  });
});
