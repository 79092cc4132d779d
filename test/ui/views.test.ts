import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launch } from "../../scripts/browser.mjs";
import { makeShowcase, type Showcase } from "../../scripts/showcase.mjs";
import { type Window, openWindow } from "../support/ui-shop.ts";

let browser: Browser;
let show: Showcase;
beforeAll(async () => {
  [browser, show] = await Promise.all([launch(), makeShowcase()]);
});
afterAll(async () => {
  await browser.close();
  await show.close();
});

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const CHECKOUT = "docs/checkout-plan.md";

/** Every view with what must be on it. */
const VIEWS: readonly (readonly [name: string, place: readonly string[], sign: string])[] = [
  ["overview", [], ".finding[data-rule='plan-changed']"],
  ["board", ["plan", CHECKOUT, "board"], ".column.stopped [data-anchor='step-5']"],
  ["graph", ["plan", CHECKOUT, "graph"], ".node.done[data-anchor='step-1']"],
  ["list", ["plan", CHECKOUT, "list"], ".step-row[data-anchor='step-9']:has-text('waiting')"],
  ["blocked step", ["plan", CHECKOUT, "step", "step-5"], ".attempts pre:has-text('received 2000')"],
  ["finished step", ["plan", CHECKOUT, "step", "step-1"], "pre.diff .added"],
  ["held step", ["plan", CHECKOUT, "step", "step-6"], "aside:has-text('left')"],
  ["sessions", ["sessions"], ".session-table li:has-text('interrupted')"],
  ["timeline", ["timeline", CHECKOUT], ".span.stopped"],
  ["worktrees", ["worktrees"], ".card:has-text('1 uncommitted file')"],
  ["journal", ["journal"], ".event-line:has-text('session interrupted')"],
  ["doctor", ["doctor"], ".checks li:has-text('state integrity')"],
];

interface Problem {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** Problems that keep people out, in words. */
async function problemsOf({ page }: Window): Promise<readonly string[]> {
  const violations = await page.evaluate<readonly Problem[]>(
    `axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) => violations)`,
  );
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) =>
      nodes
        .slice(0, 3)
        .map((node) => `${id}: ${node.html.slice(0, 160)} ${node.failureSummary.slice(0, 200)}`),
    );
}

describe.each(["light", "dark"] as const)("every view in %s", (theme) => {
  it("shows what is there, without a complaint, and nobody is kept out", async () => {
    const { link } = await show.serve();
    const window = await openWindow(browser, link, { colorScheme: theme, bypassCSP: true });
    const { page, go, complaints } = window;
    const escape = async () => {
      await page.keyboard.press("Escape");
      await page.waitForSelector(".sheet", { state: "detached" });
    };
    await page.waitForSelector(".card.plan");
    await page.evaluate(AXE);
    for (const [name, place, sign] of VIEWS) {
      await go(...place);
      await page.waitForSelector(sign);
      expect({ name, problems: await problemsOf(window) }).toEqual({ name, problems: [] });
    }
    await go();
    await page.locator("[data-rule='interrupted-session'] button").first().click();
    await page.waitForSelector(".what li");
    expect(await problemsOf(window)).toEqual([]);
    await escape();
    await page.keyboard.press("/");
    await page.waitForSelector(".palette input:focus");
    await page.keyboard.type("receipts");
    await page.waitForSelector(".palette li:has-text('Send receipts')");
    expect(await problemsOf(window)).toEqual([]);
    await page.keyboard.press("Enter");
    await page.waitForSelector("h1:has-text('Send receipts')");
    await page.keyboard.press("?");
    await page.waitForSelector(".help kbd");
    await escape();
    await page.keyboard.press("g");
    await page.keyboard.press("w");
    await page.waitForSelector("h1:has-text('Worktrees')");
    expect(complaints).toEqual([]);
  });
});

it("fits a window as narrow as a phone: nothing reaches beyond its edge", async () => {
  const { link } = await show.serve();
  const { page, go, complaints } = await openWindow(browser, link, { viewport: { width: 400, height: 780 } });
  await page.waitForSelector(".card.plan");
  for (const [name, place, sign] of VIEWS) {
    await go(...place);
    // The graph begins where the work is; not all of it fits.
    await page.waitForSelector(name === "graph" ? ".node" : sign, { state: "attached" });
    const wide = await page.evaluate("document.documentElement.scrollWidth");
    expect({ name, wide }).toEqual({ name, wide: 400 });
  }
  expect(complaints).toEqual([]);
});

it("has no button for whoever may only look", async () => {
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
