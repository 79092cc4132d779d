import { once } from "node:events";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { browserForTests } from "../support/browser.ts";
import { planText } from "../support/plans.ts";
import { runShop } from "../support/run-shop.ts";
import { openWindow, startUi } from "../support/ui-shop.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await browserForTests();
});
afterAll(() => browser.close());

/** Its anchor is as long as this. */
const LONG = "step-a-name-that-is-much-longer-than-any-column-of-a-narrow-window-has-room-for";

describe("an address of the page in a new tab", () => {
  it("is let in by another tab, and says why when no other is open", async () => {
    const shop = runShop();
    const { link, origin } = await startUi(shop);
    const { page, context } = await openWindow(browser, link);
    await page.waitForSelector("h1");
    const second = await context.newPage();
    await second.goto(`${origin}/#/journal`);
    await second.waitForSelector("h1:has-text('Journal')");
    await page.close();
    await second.close();
    const third = await context.newPage();
    await third.goto(`${origin}/#/journal`);
    await third.waitForSelector(".locked p:has-text('no other tab of this page is open')");
    expect(await third.locator("nav").count()).toBe(0);
  });

  it("keeps working when the server is started anew, as soon as one tab has the new link", async () => {
    const shop = runShop();
    const first = await startUi(shop);
    const { page, context } = await openWindow(browser, first.link);
    await page.waitForSelector("h1");
    first.child.kill("SIGINT");
    await once(first.child, "exit");
    await page.waitForSelector(".gone:has-text('server has ended')");
    const again = await startUi(shop);
    expect(again.port).toBe(first.port);
    await page.waitForSelector(".locked p:has-text('was restarted')");
    const other = await context.newPage();
    await other.goto(again.link);
    await page.waitForSelector("h1:not(:has-text('needs a link'))");
    await page.waitForSelector(".connection.live");
  });
});

describe("files that could be plans", () => {
  it("show by themselves: plans, and Markdown with boxes", async () => {
    const shop = runShop();
    const { page, complaints } = await openWindow(browser, (await startUi(shop)).link);
    await page.waitForSelector("[data-file='plan.md']");
    shop.repo.write("docs/todo.md", "# Soon\n\n- [ ] Paint the door\n- [ ] Oil the hinge\n");
    await page.waitForSelector("[data-file='docs/todo.md']:has-text('with open boxes')");
    await page.getByRole("button", { name: "Read this plan: docs/todo.md" }).click();
    await page.locator(".deciders button.first").click();
    await page.waitForSelector(".card.plan:has-text('docs/todo.md')");
    shop.repo.write("docs/more.md", "# Later\n\n- [ ] Sweep\n");
    await page.waitForSelector(".more-lists summary:has-text('1 Markdown file')");
    // A list's file shows how far it is: the run says that it changes.
    await page.locator(".card.plan a.strong").click();
    await page.waitForSelector(".step-card");
    await page.locator(".heading .choices button:has-text('Run')").click();
    await page.waitForSelector(".deciding .trouble, .deciding .what li");
    expect(complaints).toEqual([]);
  });

  it("begin with a plan that is created here", async () => {
    const shop = runShop();
    shop.repo.git("rm", "-q", "plan.md");
    const { page } = await openWindow(browser, (await startUi(shop)).link);
    await page.waitForSelector("h2:has-text('There is no plan here yet')");
    await page.getByRole("button", { name: "Create a plan" }).click();
    await page.getByLabel("Name of the file").fill("first-try");
    await page.waitForSelector(".copyable code:has-text('pawl plan new first-try')");
    await page.locator(".deciders button.first").click();
    await page.waitForSelector("[data-file='first-try.md']");
    expect(shop.json("plan", "check", "first-try.md").status).toBe("ok");
  });
});

it("a long anchor fits into a narrow window, and a filter says that nothing matches", async () => {
  const shop = runShop();
  const plan = planText([{ number: "1", tasks: ["dig"] }]).replace("{#step-1}", `{#${LONG}}`);
  shop.repo.write("plan.md", plan);
  shop.repo.git("commit", "-qam", "a long name");
  expect(await shop.run()).toMatchObject({ code: 0 });
  expect(shop.steps()).toEqual([`${LONG} completed`]);
  const { page, go } = await openWindow(browser, (await startUi(shop)).link, {
    viewport: { width: 400, height: 780 },
  });
  const step = ["plan", "plan.md", "step", LONG];
  for (const place of [["sessions"], [], ["plan", "plan.md", "board"], ["timeline"], step]) {
    await go(...place);
    await page.waitForSelector("h1");
    await page.waitForSelector(".badge, .step-card", { state: "attached" });
    const wide = await page.evaluate("document.documentElement.scrollWidth");
    expect({ place, wide }).toEqual({ place, wide: 400 });
  }
  await go("plan", "plan.md", "board");
  await page.getByLabel("Filter steps").fill("no such step");
  await page.waitForSelector(".column.done .none:has-text('No step here matches')");
});
