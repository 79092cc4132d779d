import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import type { Browser } from "playwright-core";
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
  const times = {
    board: await firstView(["plan", "large-plan.md", "board"], "[data-anchor='step-1']"),
    journal: await firstView(["journal"], ".event-line"),
    list: await firstView(["plan", "large-plan.md", "list"], "[data-anchor='step-1']"),
    graph: await firstView(["plan", "large-plan.md", "graph"], ".graph canvas"),
    step: await firstView(["plan", "large-plan.md", "step", "step-9999"], ".why"),
  };
  await go("plan", "large-plan.md", "list");
  await page.waitForSelector(".about:has-text('of 10,000 steps')");
  const rows = page.locator(".windowed");
  await rows.evaluate((element: { scrollTop: number; scrollHeight: number }) => {
    element.scrollTop = element.scrollHeight;
  });
  await page.waitForSelector("[data-anchor='step-10000']");
  expect(await page.locator(".step-row").count()).toBeLessThan(80);
  // A rare line far back is found by walking, and no walk keeps others waiting.
  await go("journal");
  await page.waitForSelector(".event-line");
  await page.selectOption("select >> nth=1", "reopened");
  await page.waitForSelector(".about:has-text('4 lines shown, all there are')");
  const { body } = await caller.get("/api/server");
  const heap = await page.evaluate<number>("performance.memory.usedJSHeapSize");
  for (const [name, ms] of Object.entries(times))
    expect({ name, soon: ms < 2000 }).toEqual({ name, soon: true });
  expect(body.data.longest_turn_ms).toBeLessThan(50);
  expect(body.data.resident_bytes).toBeLessThan(300 * 1024 * 1024);
  expect(heap).toBeLessThan(120 * 1024 * 1024);
  expect(complaints).toEqual([]);
});
