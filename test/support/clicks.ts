import type { Browser, Locator, Page } from "playwright-core";
import type { RunShop } from "./run-shop.ts";
import { enter, oneMoreLink, openWindow, startUi, type UiServer } from "./ui-shop.ts";

/** A shop in which something waits for a person, and what a click must do about it. */
export interface Case {
  readonly make: () => RunShop | Promise<RunShop>;
  /** What must be so afterwards, in the repository and in the state. */
  readonly effect: (shop: RunShop, page: Page) => unknown;
}

/** Clicks a choice, lets the page say what happens, and decides. */
export async function press(page: Page, button: Locator): Promise<void> {
  await button.click();
  await page.waitForSelector(".what li");
  const reason = page.locator(".field.reason input");
  if (await reason.count()) await reason.fill("a person said so");
  const needed = page.locator(".fields input[required]");
  if (await needed.count()) await needed.fill("one more");
  await page.locator(".deciders button").last().click();
  await page.waitForSelector(".sheet", { state: "detached" });
}

/** What a click has started works beside the page, and may have something to finish after its effect is seen. */
async function untilQuiet(server: UiServer, page: Page): Promise<void> {
  const { get } = await enter({ ...server, link: await oneMoreLink(page) });
  const isBusy = async () =>
    ((await get("/api/overview")).body.data.jobs as readonly { state: string }[]).some(
      ({ state }) => state === "running",
    );
  while (await isBusy()) await new Promise((again) => setTimeout(again, 100));
}

/** Opens the page in a shop, clicks, and looks at what became of it; answers with what the browser complained about. */
export async function clicked(
  browser: Browser,
  { make, effect }: Case,
  click: (page: Page, shop: RunShop) => Promise<void>,
): Promise<readonly string[]> {
  const shop = await make();
  const server = await startUi(shop);
  const { page, complaints } = await openWindow(browser, server.link);
  await click(page, shop);
  await effect(shop, page);
  await untilQuiet(server, page);
  return complaints;
}
