import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeShowcase, type Showcase } from "../../scripts/showcase.mjs";
import { browserForTests } from "../support/browser.ts";
import { addAxe, problemsOf } from "../support/axe.ts";
import { openWindow } from "../support/ui-shop.ts";

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

/** Every view with what must be on it. */
const VIEWS: readonly (readonly [name: string, place: readonly string[], sign: string])[] = [
  ["overview", [], ".finding[data-rule='plan-changed']"],
  ["board", ["plan", CHECKOUT, "board"], ".column.stopped [data-anchor='step-5']"],
  ["graph", ["plan", CHECKOUT, "graph"], ".node.done[data-anchor='step-1']"],
  ["changes", ["plan", CHECKOUT, "changes"], ".diff .line.added"],
  ["list", ["plan", CHECKOUT, "list"], ".item-row.completed:has-text('Money as whole cents')"],
  ["blocked step", ["plan", CHECKOUT, "step", "step-5"], ".attempts pre:has-text('received 2000')"],
  ["finished step", ["plan", CHECKOUT, "step", "step-1"], ".diff .line.added"],
  ["held step", ["plan", CHECKOUT, "step", "step-6"], "aside:has-text('left')"],
  ["sessions", ["sessions"], ".session-table li:has-text('interrupted')"],
  ["timeline", ["timeline", CHECKOUT], ".span.stopped"],
  ["worktrees", ["worktrees"], ".card:has-text('1 uncommitted file')"],
  ["journal", ["journal"], ".event-line:has-text('session interrupted')"],
  ["doctor", ["doctor"], ".checks li:has-text('state integrity')"],
  ["unknown plan", ["plan", "no-such.md", "board"], "h1:has-text('There is no such plan')"],
  ["unknown step", ["plan", CHECKOUT, "step", "no-such"], "h1:has-text('There is no such step')"],
  ["unknown session", ["sessions", "s-none"], "h1:has-text('There is no such session')"],
  ["unknown address", ["elsewhere", "1"], "h1:has-text('There is nothing at this address')"],
];

/** What a plan's own buttons ask. */
const DIALOGS = ["Run", "Merge", "Add a step"];

describe.each(["light", "dark"] as const)("every view in %s", (theme) => {
  it("shows what is there, without a complaint, and locks no one out", async () => {
    const { link } = await show.serve();
    const { page, go, complaints } = await openWindow(browser, link, {
      colorScheme: theme,
      bypassCSP: true,
    });
    const escape = async () => {
      await page.keyboard.press("Escape");
      await page.waitForSelector(".sheet", { state: "detached" });
    };
    await page.waitForSelector(".card.plan");
    await addAxe(page);
    for (const [name, place, sign] of VIEWS) {
      await go(...place);
      await page.waitForSelector(sign);
      expect({ name, problems: await problemsOf(page) }).toEqual({ name, problems: [] });
      const twice = /[^.\n]{0,60}[^.\s/]\.\.(?![./\w])/.exec(await page.locator("main").innerText());
      expect({ name, twice: twice?.[0] }).toEqual({ name, twice: undefined });
    }
    await go("plan", CHECKOUT, "board");
    for (const name of DIALOGS) {
      await page
        .getByRole("button", { name: new RegExp(`^${name}:`) })
        .first()
        .click();
      await page.waitForSelector(".sheet .what li, .sheet .trouble");
      expect({ name, problems: await problemsOf(page) }).toEqual({ name, problems: [] });
      await escape();
    }
    await go("sessions");
    await page.locator("li:has(.badge:has-text('running')) .fold").click();
    expect(await problemsOf(page)).toEqual([]);
    await page.locator(".worker-row a.strong").first().click();
    await page.waitForSelector(".output .events:has-text('Thinking')");
    expect(await problemsOf(page)).toEqual([]);
    await go();
    await page.locator("[data-rule='interrupted-session'] button").first().click();
    await page.waitForSelector(".what li");
    expect(await problemsOf(page)).toEqual([]);
    await escape();
    await page.keyboard.press("/");
    await page.waitForSelector(".palette input:focus");
    await page.keyboard.type("receipts");
    await page.waitForSelector(".palette li:has-text('Send receipts')");
    expect(await problemsOf(page)).toEqual([]);
    await page.keyboard.press("Enter");
    await page.waitForSelector("h1:has-text('Send receipts')");
    await page.keyboard.press("?");
    await page.waitForSelector(".help kbd");
    expect(await problemsOf(page)).toEqual([]);
    await escape();
    await page.keyboard.press("g");
    await page.keyboard.press("w");
    await page.waitForSelector("h1:has-text('Worktrees')");
    expect(complaints).toEqual([]);
  });
});

describe.each([
  [400, 780],
  [1120, 800],
  [1280, 820],
  [1600, 900],
])("a window of %i by %i", (width, height) => {
  it("shows what there is of every view, and nothing reaches beyond its edge", async () => {
    const { link } = await show.serve();
    const { page, go, complaints } = await openWindow(browser, link, { viewport: { width, height } });
    await page.waitForSelector(".card.plan");
    for (const [name, place, sign] of VIEWS) {
      await go(...place);
      await page.waitForSelector(sign, { state: "attached" });
      const wide = await page.evaluate("document.documentElement.scrollWidth");
      expect({ name, wide }).toEqual({ name, wide: width });
    }
    const boxOf = async (selector: string) => (await page.locator(selector).first().boundingBox())!;
    // Columns without a step are folded, so the first that is open has something in it.
    await go("plan", CHECKOUT, "board");
    await page.waitForSelector(".column.verifying.folded");
    expect(await page.locator(".column:not(.folded):not(:has(.step-card))").count()).toBe(0);
    const first = await boxOf(".column:not(.folded)");
    expect(first.x + 100).toBeLessThan(width);
    if (width > 1000) {
      const last = await boxOf(".column.done");
      expect(last.x + last.width).toBeLessThanOrEqual(width);
    }
    // All of the graph is in its frame when it is opened.
    await go("plan", CHECKOUT, "graph");
    await page.waitForSelector(".node[data-anchor='step-10']");
    expect(await page.locator(".node").count()).toBe(10);
    const frame = await boxOf(".graph-box");
    for (const node of await page.locator(".node").all()) {
      const box = (await node.boundingBox())!;
      expect(box.x).toBeGreaterThanOrEqual(frame.x);
      expect(box.y).toBeGreaterThanOrEqual(frame.y);
      expect(box.x + box.width).toBeLessThanOrEqual(frame.x + frame.width);
      expect(box.y + box.height).toBeLessThanOrEqual(frame.y + frame.height);
    }
    expect(complaints).toEqual([]);
  });
});

it("has one card for a run, however many work in it", async () => {
  const { page } = await openWindow(browser, (await show.serve()).link);
  await page.waitForSelector(".card.running");
  expect(await page.locator(".card.running").count()).toBe(1);
  expect(await page.locator(".card.running .workers li").count()).toBe(2);
  await page.waitForSelector(".about:has-text('1 active run')");
});

it("folds and unfolds a column, and shows a list with and without its checklists", async () => {
  const { page, go } = await openWindow(browser, (await show.serve()).link);
  await go("plan", CHECKOUT, "board");
  await page.locator(".column.verifying.folded h2 button").click();
  await page.waitForSelector(".column.verifying .none:has-text('Nothing is being verified')");
  await page.locator(".column.done h2 button").click();
  await page.waitForSelector(".column.done.folded");
  expect(await page.locator(".column.done .step-card").count()).toBe(0);
  await go("plan", CHECKOUT, "list");
  await page.waitForSelector(".item-row:has-text('Order, Payment and Refund types')");
  await page.getByLabel("Checklists").uncheck();
  await page.waitForSelector(".item-row", { state: "detached" });
  await page.waitForSelector(".step-row[data-anchor='step-9']:has-text('waiting')");
});

it("acts by typing on what is in view: step, plan and session", async () => {
  const { page, go, complaints } = await openWindow(browser, (await show.serve()).link);
  const type = async (words: string, title: string) => {
    await page.keyboard.press("/");
    await page.waitForSelector(".palette input:focus");
    await page.keyboard.type(words);
    await page.keyboard.press("Enter");
    await page.waitForSelector(`.deciding h2:has-text(${JSON.stringify(title)})`);
    await page.waitForSelector(".deciding .what li");
    await page.keyboard.press("Escape");
    await page.waitForSelector(".sheet", { state: "detached" });
  };
  await go("plan", CHECKOUT, "step", "step-5");
  await page.waitForSelector(".choices");
  await type("retry", "Retry: Refund an order");
  await go("plan", CHECKOUT, "board");
  await page.waitForSelector(".column.ready .step-card");
  await type("run act", "Run docs/checkout-plan.md");
  await go("sessions");
  await page.locator("li:has(.badge:has-text('interrupted')) a.strong").click();
  await page.waitForSelector("h1:has-text('step-1')");
  await page.waitForSelector(".heading .choices button");
  await type("resume act", "Resume: session");
  expect(complaints).toEqual([]);
});

it("has no button for a reader without rights", async () => {
  const { link } = await show.serve("--read-only");
  const { page, go } = await openWindow(browser, link);
  await page.waitForSelector(".card.plan");
  await page.waitForSelector("text=read-only");
  for (const [, place, sign] of VIEWS) {
    await go(...place);
    await page.waitForSelector(sign);
    expect(await page.locator(".choices button").count()).toBe(0);
  }
});
