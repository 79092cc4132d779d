import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { addAxe, problemsOf } from "../support/axe.ts";
import { browserForTests } from "../support/browser.ts";
import { AGENT, runShop } from "../support/run-shop.ts";
import { openWindow, startUi, type Window } from "../support/ui-shop.ts";

let browser: Browser;
let window: Window;
beforeAll(async () => {
  browser = await browserForTests();
});
afterAll(() => browser.close());

const STEPS = [
  { number: "1", title: "Dig the hole", tasks: ["dig"] },
  { number: "2", title: "Build the wall", tasks: ["build"], dependsOn: ["step-1"] },
  { number: "3", title: "Paint the fence", tasks: ["paint"] },
];

/** A plan of which all but the last step is done, in a window. */
async function open(settings: string): Promise<Window> {
  const shop = runShop(
    STEPS,
    `agent = "stand-in"\n${settings}[agents.stand-in]\npreset = "claude"\nprogram = [${AGENT.slice(1)
      .map((word) => JSON.stringify(word))
      .join(", ")}]\n`,
  );
  const work = (say: string) => [{ say }, { write: "work/{step}.txt" }, { tick: "all" }];
  shop.script({
    speak: "claude",
    steps: { "step-1": [work("The spade is blunt.")], "step-2": [work("Mortar is mixed.")] },
  });
  expect(shop.json("run", "plan.md", "--max-steps", "2").status).toBe("ok");
  window = await openWindow(browser, (await startUi(shop)).link, { bypassCSP: true });
  await window.page.waitForSelector(".card.plan");
  await addAxe(window.page);
  return window;
}

const focused = () => window.page.evaluate<string>(`document.activeElement.dataset.anchor ?? ""`);

it("searches the journal and all logs, and opens a transcript at what was found", async () => {
  const { page, go, complaints } = await open("");
  await go("journal");
  await page.waitForSelector(".event-line");
  await page.getByLabel("Find in the journal").fill("STEP-2");
  const lines = (hasText: string) => page.locator(".event-line", { hasText }).count();
  await expect.poll(async () => (await lines("step-2")) > 0 && (await lines("step-1")) === 0).toBe(true);
  await page.getByLabel("Find in the journal").fill("nothing has this");
  await page.waitForSelector("text=No line matches");
  await go("sessions");
  await page.getByLabel("Search all logs").fill("spade is BLUNT");
  await page.waitForSelector(".found code:has-text('The spade is blunt.')");
  expect(await problemsOf(page)).toEqual([]);
  await page.locator(".found a").first().click();
  await page.waitForSelector(".transcript .said:has-text('The spade is blunt.')");
  expect(await page.getByLabel("Find in the transcript").inputValue()).toBe("spade is BLUNT");
  await go("sessions");
  await page.getByLabel("Search all logs").fill("nothing has this");
  await page.waitForSelector("text=No log has this text");
  expect(complaints).toEqual([]);
});

it("shows the critical path and what each step took, in the timeline and the graph", async () => {
  const { page, go, complaints } = await open("");
  await go("timeline", "plan.md");
  const chain = page.locator(".chain");
  await chain.waitFor();
  expect(await chain.textContent()).toMatch(/^Critical path: .+ step-1 → step-2$/);
  expect(await page.locator(".span.critical").count()).toBeGreaterThan(1);
  await page.getByText("critical path", { exact: true }).waitFor();
  expect(await problemsOf(page)).toEqual([]);
  await go("plan", "plan.md", "graph");
  await page.waitForSelector(".node[data-anchor=step-1] .anchor:has-text(' s')");
  expect(await page.locator(".node[data-anchor=step-3] .anchor").textContent()).not.toMatch(/ s$/);
  expect(complaints).toEqual([]);
});

it("sorts and groups the list, and goes from row to row by keys", async () => {
  const { page, go, complaints } = await open("");
  await go("plan", "plan.md", "list");
  await page.waitForSelector(".step-row[data-anchor=step-3]");
  const anchors = () =>
    page.evaluate<string[]>(`[...document.querySelectorAll(".step-row")].map((row) => row.dataset.anchor)`);
  expect(await anchors()).toEqual(["step-1", "step-2", "step-3"]);
  await page.getByLabel("Sort by").selectOption("last change");
  expect(await anchors()).toEqual(["step-2", "step-1", "step-3"]);
  await page.getByLabel("Group by").selectOption("state");
  expect(await page.locator(".group-row").allTextContents()).toEqual(["Done 2", "Ready 1"]);
  expect(await problemsOf(page)).toEqual([]);
  await page.evaluate("document.activeElement.blur()");
  await page.keyboard.press("j");
  expect(await focused()).toBe("step-2");
  await page.keyboard.press("ArrowDown");
  expect(await focused()).toBe("step-1");
  await page.keyboard.press("k");
  expect(await focused()).toBe("step-2");
  await go("plan", "plan.md", "board");
  await page.waitForSelector(".step-card[data-anchor=step-3]");
  await page.keyboard.press("j");
  expect(await focused()).toBe("step-3");
  await page.keyboard.press("ArrowRight");
  expect(await focused()).toBe("step-2");
  await page.keyboard.press("Enter");
  await page.waitForSelector("h1:has-text('Build the wall')");
  expect(complaints).toEqual([]);
});

it("goes to a commit and a session by typing, and opens files in the editor of the settings", async () => {
  const { page, go, complaints } = await open('editor = "vscode"\n');
  await page.keyboard.press("/");
  await page.waitForSelector("[role=combobox]:focus");
  await page.keyboard.type("commit step-1");
  await page.waitForSelector("[role=option]:has-text('commit of step-1')");
  expect(await problemsOf(page)).toEqual([]);
  await page.keyboard.press("Enter");
  await page.waitForSelector(".diff .line");
  expect(await problemsOf(page)).toEqual([]);
  const link = page.getByLabel(/^Open work\/step-1.txt in your editor/);
  expect(await link.getAttribute("href")).toMatch(/^vscode:\/\/file\/.*\/work\/step-1\.txt:1$/);
  await page.keyboard.press("/");
  await page.waitForSelector("[role=combobox]:focus");
  await page.keyboard.type("completed session");
  await page.locator("[role=option]", { hasText: "completed session of plan.md" }).first().click();
  await page.waitForSelector(".transcript");
  await go("plan", "plan.md", "board");
  await page.getByLabel("Copy plan.md").waitFor();
  await page.getByLabel("Open plan.md in your editor").waitFor();
  expect(complaints).toEqual([]);
});
