import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { browserForTests } from "../../support/browser.ts";
import { fillJournal, LARGE_PLAN, largePlanText } from "../../support/large-shop.ts";
import { pageClock } from "../../support/page-clock.ts";
import { runShop } from "../../support/run-shop.ts";
import { enter, oneMoreLink, openWindow, startUi } from "../../support/ui-shop.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await browserForTests();
});
afterAll(() => browser.close());

/** Scrolls a list by a screen 100 times. Each move must be drawn from the rows that are seen: how many there are at most. */
const scrollThrough = (page: Page): Promise<number> =>
  page.evaluate(`(async () => {
    const box = document.querySelector(".windowed");
    let rows = 0;
    for (let move = 0; move < 100; move += 1) {
      await new Promise((go) => requestAnimationFrame(go));
      box.scrollTop += box.clientHeight;
      box.dispatchEvent(new Event("scroll"));
      // Rendering is done in the moments before the next picture.
      await new Promise((go) => setTimeout(go));
      box.getBoundingClientRect();
      rows = Math.max(rows, document.querySelectorAll(".step-row").length);
    }
    return rows;
  })()`);

it("ten thousand steps and a million lines of journal: seen soon, no one waits, memory stays", async () => {
  const shop = runShop();
  shop.repo.write(LARGE_PLAN, largePlanText());
  expect(shop.json("state", "init", LARGE_PLAN).status).toBe("ok");
  fillJournal(shop);
  const server = await startUi(shop);
  const { page, go, complaints } = await openWindow(browser, server.link);
  await page.waitForSelector(".card.plan:has-text('10,000')");
  const caller = await enter({ ...server, link: await oneMoreLink(page) });
  await caller.get("/api/server");

  const busyMs = await pageClock(page);
  let calls = 0;
  page.on("request", (request) => (calls += request.url().includes("/api/") ? 1 : 0));
  const firstView = async (place: readonly string[], sign: string) => {
    const [began, busy] = [performance.now(), await busyMs()];
    calls = 0;
    await go(...place);
    await page.waitForSelector(sign);
    return {
      busy_ms: Math.round((await busyMs()) - busy),
      calls,
      clock_ms: Math.round(performance.now() - began),
    };
  };
  const whole = ".about:has-text('of 10,000 steps'):not(:has-text('still loading'))";
  const round = async () => {
    await caller.get("/api/server");
    const views = {
      // Nothing of the plan is known yet: what is there is shown, and the rest as it comes.
      coldGraph: await firstView(["plan", LARGE_PLAN, "graph"], ".graph .legend:has-text('waiting')"),
      board: await firstView(["plan", LARGE_PLAN, "board"], "[data-anchor='step-1']"),
      journal: await firstView(["journal"], ".event-line"),
      list: await firstView(["plan", LARGE_PLAN, "list"], "[data-anchor='step-1']"),
      // The graph needs all of the plan, which the page keeps for every view.
      whole: await firstView(["plan", LARGE_PLAN, "list"], whole),
      graph: await firstView(["plan", LARGE_PLAN, "graph"], "[aria-label^='Graph of 10,000 steps']"),
      step: await firstView(["plan", LARGE_PLAN, "step", "step-9999"], ".why"),
      overview: await firstView([], ".card.plan:has-text('10,000')"),
    };
    const { busiest_turn_ms } = (await caller.get("/api/server")).body.data;
    const seen = { busiest_turn_ms, views };
    console.log(JSON.stringify(seen));
    return seen;
  };
  const rounds = [await round()];
  for (let again = 0; again < 3; again += 1) {
    // Nothing is known of the plan in a window that begins anew.
    await page.reload();
    await page.waitForSelector(".card.plan:has-text('10,000')");
    rounds.push(await round());
  }
  await go("plan", LARGE_PLAN, "list");
  await page.waitForSelector(".about:has-text('of 10,000 steps')");
  const before = await busyMs();
  const scroll = { rows: await scrollThrough(page), busy_ms: Math.round((await busyMs()) - before) };
  const rows = page.locator(".windowed");
  await rows.evaluate((element: { scrollTop: number; scrollHeight: number }) => {
    element.scrollTop = element.scrollHeight;
  });
  await page.waitForSelector("[data-anchor='step-10000']");
  // A rare line far back is found by walking, and no walk keeps others waiting.
  await go("journal");
  await page.waitForSelector(".event-line");
  await page.selectOption("select >> nth=1", "reopened");
  await page.waitForSelector(".about:has-text('4 lines shown, none left')");
  const { resident_bytes, busiest_turn_ms } = (await caller.get("/api/server")).body.data;
  const heap = await page.evaluate<number>("performance.memory.usedJSHeapSize");
  console.log(JSON.stringify({ busiest_turn_ms, resident_bytes, heap, scroll }));
  // What is ours happens in every round; what else the browser does, does not.
  for (const name of ["coldGraph", "board", "journal", "list", "graph", "step", "overview"] as const) {
    const seen = rounds.map(({ views }) => views[name]);
    const [busy, asked] = [
      Math.min(...seen.map((one) => one.busy_ms)),
      Math.min(...seen.map((one) => one.calls)),
    ];
    // With a server whose turns are short, so little work and so few questions are seen at once.
    expect({ name, isSoon: busy < 1000 && asked <= 8, busy, asked }).toMatchObject({ isSoon: true });
  }
  for (const { busiest_turn_ms: ms } of rounds) expect(ms).toBeGreaterThan(0);
  expect(Math.max(busiest_turn_ms, ...rounds.map((one) => one.busiest_turn_ms))).toBeLessThan(50);
  expect(scroll.rows).toBeLessThan(80);
  // Sixty pictures in a second leave 16 ms for each.
  expect(scroll.busy_ms / 100).toBeLessThan(16);
  expect(resident_bytes).toBeLessThan(300 * 1024 * 1024);
  expect(heap).toBeLessThan(120 * 1024 * 1024);
  expect(complaints).toEqual([]);
});
