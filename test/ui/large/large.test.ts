import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { launch } from "../../../scripts/browser.mjs";
import { planText } from "../../support/plans.ts";
import { runShop } from "../../support/run-shop.ts";
import { enter, oneMoreLink, openWindow, startUi } from "../../support/ui-shop.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

const STEPS = 10_000;
const EVENTS = 1_000_000;

/** The journal of years, written past the verbs: only reading it is what is looked at. */
function fillJournal(path: string): void {
  const database = new DatabaseSync(path);
  database.exec(`
    with recursive n(i) as (select 1 union all select i + 1 from n where i < ${EVENTS})
    insert into events (at, plan_path, anchor, event, worktree, detail)
    select '2026-01-01T00:00:00.000Z', 'large-plan.md', 'step-' || (i % ${STEPS} + 1),
           case when i % 250000 = 0 then 'reopened' else 'claimed' end, '/repo', '{"n":' || i || '}'
      from n`);
  database.close();
}

/**
 * Scrolls a list by a screen 100 times. Each move must be drawn from the rows that are seen: how many there are at most,
 * and how long all but the ten slowest took, which is what others did meanwhile.
 */
const scrollThrough = (page: Page): Promise<{ readonly rows: number; readonly longest_ms: number }> =>
  page.evaluate(`(async () => {
    const box = document.querySelector(".windowed");
    const times = [];
    let rows = 0;
    for (let move = 0; move < 100; move += 1) {
      await new Promise((go) => requestAnimationFrame(go));
      box.scrollTop += box.clientHeight;
      box.dispatchEvent(new Event("scroll"));
      const began = performance.now();
      // Rendering is done in the moments before the next picture.
      await new Promise((go) => setTimeout(go));
      box.getBoundingClientRect();
      times.push(performance.now() - began);
      rows = Math.max(rows, document.querySelectorAll(".step-row").length);
    }
    return { rows, longest_ms: times.sort((a, b) => a - b)[90] };
  })()`);

it("ten thousand steps and a million lines of journal: seen soon, nobody waits, memory stays", async () => {
  const shop = runShop();
  shop.repo.write(
    "large-plan.md",
    planText(
      Array.from({ length: STEPS }, (_, index) => ({
        number: String(index + 1),
        title: `Work number ${index + 1}`,
        tasks: ["do it"],
        ...(index >= 40 ? { dependsOn: [`step-${index - 39}`, `step-${index - 20}`] } : {}),
      })),
    ),
  );
  expect(shop.json("state", "init", "large-plan.md").status).toBe("ok");
  fillJournal(join(shop.repo.path, ".git/pawl/state.db"));
  const server = await startUi(shop);
  const { page, go, complaints } = await openWindow(browser, server.link);
  await page.waitForSelector(".card.plan:has-text('10,000')");
  const caller = await enter({ ...server, link: await oneMoreLink(page) });
  await caller.get("/api/server");

  const firstView = async (place: readonly string[], sign: string): Promise<number> => {
    const began = performance.now();
    await go(...place);
    await page.waitForSelector(sign);
    return performance.now() - began;
  };
  const whole = ".about:has-text('of 10,000 steps'):not(:has-text('still loading'))";
  const round = async () => {
    await caller.get("/api/server");
    const times = {
      board: await firstView(["plan", "large-plan.md", "board"], "[data-anchor='step-1']"),
      journal: await firstView(["journal"], ".event-line"),
      list: await firstView(["plan", "large-plan.md", "list"], "[data-anchor='step-1']"),
      // The graph needs all of the plan, which the page keeps for every view.
      whole: await firstView(["plan", "large-plan.md", "list"], whole),
      graph: await firstView(["plan", "large-plan.md", "graph"], ".graph canvas"),
      step: await firstView(["plan", "large-plan.md", "step", "step-9999"], ".why"),
      overview: await firstView([], ".card.plan:has-text('10,000')"),
    };
    const { busiest_turn_ms, longest_turn_ms } = (await caller.get("/api/server")).body.data;
    const seen = { busiest_turn_ms, longest_turn_ms, views_ms: times };
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
  await go("plan", "large-plan.md", "list");
  await page.waitForSelector(".about:has-text('of 10,000 steps')");
  const scroll = await scrollThrough(page);
  const rows = page.locator(".windowed");
  await rows.evaluate((element: { scrollTop: number; scrollHeight: number }) => {
    element.scrollTop = element.scrollHeight;
  });
  await page.waitForSelector("[data-anchor='step-10000']");
  // A rare line far back is found by walking, and no walk keeps others waiting.
  await go("journal");
  await page.waitForSelector(".event-line");
  await page.selectOption("select >> nth=1", "reopened");
  await page.waitForSelector(".about:has-text('4 lines shown, all there are')");
  const { resident_bytes, busiest_turn_ms } = (await caller.get("/api/server")).body.data;
  const heap = await page.evaluate<number>("performance.memory.usedJSHeapSize");
  console.log(JSON.stringify({ busiest_turn_ms, resident_bytes, heap, scroll }));
  // What is ours happens in every round; what other programs keep us waiting for, does not.
  for (const name of ["board", "journal", "list", "graph", "step", "overview"] as const)
    expect({ name, soon: Math.min(...rounds.map((one) => one.views_ms[name])) < 2000 }).toEqual({
      name,
      soon: true,
    });
  for (const { busiest_turn_ms: ms } of rounds) expect(ms).toBeGreaterThan(0);
  expect(Math.max(busiest_turn_ms, ...rounds.map((one) => one.busiest_turn_ms))).toBeLessThan(50);
  expect(Math.min(...rounds.map((one) => one.longest_turn_ms))).toBeLessThan(50);
  expect(scroll.rows).toBeLessThan(80);
  expect(scroll.longest_ms).toBeLessThan(50);
  expect(resident_bytes).toBeLessThan(300 * 1024 * 1024);
  expect(heap).toBeLessThan(120 * 1024 * 1024);
  expect(complaints).toEqual([]);
});
