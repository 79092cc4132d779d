import { writeFileSync } from "node:fs";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { browserForTests } from "../../support/browser.ts";
import { pageClock } from "../../support/page-clock.ts";
import { AGENT, GOOD, runShop } from "../../support/run-shop.ts";
import { openWindow, startUi } from "../../support/ui-shop.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await browserForTests();
});
afterAll(() => browser.close());

const EVENTS = 100_000;
/** A screen of rows and a little beyond both of its edges. */
const MOST_ROWS = 200;
/** A page of a hundred events. */
const MOST_BYTES = 64 * 1024;

/** How much the page has received from a call so far. */
function bytesOf(page: Page, path: string): () => number {
  let sum = 0;
  page.on("response", (response) => {
    if (new URL(response.url()).pathname === path)
      void response.body().then(
        (body) => (sum += body.length),
        () => undefined,
      );
  });
  return () => sum;
}

/** Words, calls and results in turn, as claude prints them. */
const line = (number: number): string => {
  const message = (content: object, type = "assistant") =>
    JSON.stringify({ type, message: { content: [content] } });
  if (number % 3 === 0)
    return message({ type: "text", text: `Thought ${number}: the **next** thing is \`step ${number}\`.` });
  if (number % 3 === 1)
    return message({
      type: "tool_use",
      id: `t${number}`,
      name: "Bash",
      input: { command: `npm test -- ${number}` },
    });
  const failed = number === 50_000 || number === 49_997;
  return message(
    { type: "tool_result", tool_use_id: `t${number - 1}`, content: `output ${number}`, is_error: failed },
    "user",
  );
};

it("a transcript of 100,000 events has a screen of rows in the page, comes in small pages, and is searched whole", async () => {
  const shop = runShop(
    undefined,
    `agent = "stand-in"\n[agents.stand-in]\npreset = "claude"\nprogram = [${AGENT.slice(1)
      .map((word) => JSON.stringify(word))
      .join(", ")}]\n`,
  );
  shop.script({ speak: "claude", runs: [GOOD] });
  expect(shop.json("run", "plan.md", "--max-steps", "1").status).toBe("ok");
  const [session] = shop.query(
    `select s.id, s.log_folder || '/' || c.log || '.log' as log
       from sessions s join checkpoints c on c.session_id = s.id where c.number = 1`,
  ) as unknown as readonly { readonly id: string; readonly log: string }[];
  writeFileSync(session!.log, `${Array.from({ length: EVENTS }, (_, number) => line(number)).join("\n")}\n`);
  const { page, go, complaints } = await openWindow(browser, (await startUi(shop)).link);
  const received = bytesOf(page, "/api/transcript");
  await page.waitForSelector(".card.plan");
  const busyMs = await pageClock(page);
  const before = await busyMs();
  await go("sessions", session!.id, "1");
  await page.waitForSelector(`.transcript .event:has-text('Thought ${EVENTS - 1}')`);
  const opening = (await busyMs()) - before;
  const rows = () => page.locator(".transcript .event").count();
  const oldest = () =>
    page
      .locator(".transcript .event.said")
      .first()
      .textContent()
      .then((text) => Number(/Thought (\d+)/.exec(text ?? "")?.[1]));
  // Only what is visible is in the page, and only a page of it was asked for.
  expect(await rows()).toBeLessThan(MOST_ROWS);
  expect(received()).toBeLessThan(MOST_BYTES);
  const moves: number[] = [];
  for (let move = 0; move < 12; move += 1) {
    const before = await oldest();
    const busy = await busyMs();
    await page.evaluate(`document.querySelector(".transcript .events").scrollTop = 0`);
    await expect.poll(oldest, { timeout: 20_000 }).toBeLessThan(before);
    moves.push((await busyMs()) - busy);
    expect(await rows()).toBeLessThan(MOST_ROWS);
  }
  // One with the page that comes for it and all the looks at it: more than the longest task of it.
  console.log("busy, in ms:", JSON.stringify({ opening, moves }));
  expect(opening).toBeLessThan(1000);
  expect(Math.min(...moves)).toBeLessThan(50);
  expect(received()).toBeLessThan(14 * MOST_BYTES);
  // What is read stays where it is while older parts come above it.
  const held = page.locator(".transcript .event.said").nth(3);
  const words = await held.textContent();
  await held.scrollIntoViewIfNeeded();
  const top = () =>
    page.evaluate<number>(
      `[...document.querySelectorAll(".transcript .event.said")].find((one) => one.textContent === ${JSON.stringify(words)}).getBoundingClientRect().top`,
    );
  const was = await top();
  const soFar = received();
  await page.getByRole("button", { name: "Older" }).dispatchEvent("click");
  await expect.poll(received).toBeGreaterThan(soFar);
  await expect.poll(top).toBeCloseTo(was, -1);
  await page.getByLabel("Find in the transcript").fill("output 50");
  await page.waitForSelector(".transcript .event:has-text('output 50')");
  await page.getByLabel("Find in the transcript").fill("");
  await page.getByLabel("Errors only").check();
  await page.waitForSelector(".transcript .call.failed:has-text('output 50000')");
  expect(complaints).toEqual([]);
});
