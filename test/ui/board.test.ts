import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { browserForTests } from "../support/browser.ts";
import { AGENT, GOOD, runShop, untilWritten } from "../support/run-shop.ts";
import { speaking } from "../support/stuck-shops.ts";
import { openWindow, startUi } from "../support/ui-shop.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await browserForTests();
});
afterAll(() => browser.close());

describe("the board of a plan", () => {
  it("says how many steps a filter hides, and never that nothing is done", async () => {
    const shop = runShop();
    shop.script({ runs: [GOOD] });
    await shop.run("--max-steps", "1");
    const { page, go } = await openWindow(browser, (await startUi(shop)).link);
    await go("plan", "plan.md", "board");
    await page.waitForSelector(".column.done [data-anchor='step-1']");
    await page.getByLabel("Filter steps").fill("nothing has this");
    const done = page.getByRole("region", { name: "Done, 0 of 1" });
    await done.waitFor();
    expect(await done.innerText()).toMatch(/0 of 1[^]*No step here matches/);
    await page.getByLabel("Filter steps").fill("");
    await page.getByRole("region", { name: "Done, 1" }).waitFor();
  });

  it("shows that its plan was edited, and gets a step that is added here", async () => {
    const shop = runShop();
    shop.json("state", "init", "plan.md");
    const { page, go, complaints } = await openWindow(browser, (await startUi(shop)).link);
    await go("plan", "plan.md", "board");
    await page.waitForSelector("[data-anchor='step-3']");
    await page.getByRole("button", { name: "Add a step: plan.md" }).click();
    const write = page.locator(".deciders button.first");
    await page.waitForSelector(".what .adds");
    expect(await write.isDisabled()).toBe(true);
    await page.getByLabel("Title").fill("Tell people");
    await page.getByLabel("Tasks, one in each line").fill("write it\nread it");
    await page.getByLabel("Waits for").fill("step-3");
    await page.waitForSelector(".what .adds:has-text('**Depends on:** #step-3')");
    await page.waitForSelector(".what li:has-text('git commit -m')");
    await write.click();
    await page.waitForSelector(".notes:has-text('Commit the file')");
    await page.waitForSelector(".edited .finding");
    shop.repo.git("commit", "-qam", "one more");
    await page.getByRole("button", { name: "Run: plan.md" }).waitFor();
    expect(shop.repo.git("show", "HEAD:plan.md")).toContain(
      "#### Step 4: Tell people {#step-4}\n\n**Depends on:** #step-3\n\n**Tasks:**\n\n- [ ] write it\n- [ ] read it",
    );
    expect(complaints).toEqual([]);
  });

  it("says of a list that a run ticks its boxes in the checkout", async () => {
    const shop = runShop(undefined, speaking("command"));
    shop.repo.write("tasks.md", "- [ ] T001 One\n- [ ] T002 Two\n");
    shop.repo.git("add", "tasks.md");
    shop.repo.git("commit", "-qm", "list");
    shop.json("state", "init", "tasks.md");
    const { page, go } = await openWindow(browser, (await startUi(shop)).link);
    await go("plan", "tasks.md", "board");
    await page.getByRole("button", { name: "Run: tasks.md" }).click();
    await page.waitForSelector(".what li:has-text('In your checkout only tasks.md changes')");
    expect(await page.locator(".what").innerText()).not.toContain("is not touched");
  });
});

describe("the keys on a card", () => {
  it("open what they stand for, on the card below the pointer", async () => {
    const shop = runShop();
    shop.script({ steps: { "step-1": [[{ write: "half.txt" }, { hang: true }]] } });
    const { child, ended } = shop.start("run", "plan.md", ...AGENT);
    await untilWritten(join(shop.worktree(), "half.txt"));
    child.kill("SIGTERM");
    await ended;
    const { page } = await openWindow(browser, (await startUi(shop)).link);
    const card = page.locator(".finding.card").first();
    await card.waitFor();
    const cap = card.locator("button[data-key]").first();
    const key = (await cap.getAttribute("data-key"))!;
    await card.hover();
    await page.keyboard.press(key.toLowerCase());
    await page.waitForSelector(".sheet .what li");
    expect(await page.locator(".sheet").count()).toBe(1);
  });
});
