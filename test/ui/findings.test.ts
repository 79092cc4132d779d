import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { browserForTests } from "../support/browser.ts";
import { planText } from "../support/plans.ts";
import { AGENT, type RunShop, runShop, THREE } from "../support/run-shop.ts";
import { until } from "../support/until.ts";
import { enter, openWindow, startUi } from "../support/ui-shop.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await browserForTests();
});
afterAll(() => browser.close());

const FOUR = planText([...THREE, { number: "4", tasks: ["move in"] }]);

/** A shop whose plan was edited after it was read. */
function editedShop(): RunShop {
  const shop = runShop();
  shop.json("state", "init", "plan.md");
  shop.repo.write("plan.md", FOUR);
  return shop;
}

const repairs = (shop: RunShop) =>
  shop.query("select detail from events where event = 'repair-begun'").map(({ detail }) => String(detail));

const decider = (page: Page) => page.locator(".deciders button").last();

describe("a finding with choices", () => {
  it("is decided by a click, after it has said what happens", async () => {
    const shop = editedShop();
    const { link } = await startUi(shop);
    const { page, complaints } = await openWindow(browser, link);
    const card = page.locator(".finding[data-rule='plan-changed']");
    await card.waitFor();
    expect(await card.textContent()).toContain("plan.md has uncommitted changes: added step-4.");
    expect(await card.locator(".choices > *").allTextContents()).toEqual([
      "R Read it again",
      "K Keep it as it is",
    ]);
    await page.waitForSelector(".nav .count:has-text('1')");
    await card.getByRole("button", { name: /^R Read it again:/ }).click();
    await page.waitForSelector(".sheet:has-text('added step-4')");
    await page.waitForSelector(".what li:has-text('Unchanged steps keep their progress')");
    await decider(page).click();
    await page.waitForSelector(
      ".notes:has-text('Read it again: plan.md: read again, progress of 3 steps kept')",
    );
    await page.waitForSelector("text=Nothing waits for a person");
    expect(shop.steps()).toHaveLength(4);
    expect(repairs(shop)).toHaveLength(1);
    expect(complaints).toEqual([]);
  });

  it("is out of the way for this window when it is left as it is", async () => {
    const shop = editedShop();
    const { link } = await startUi(shop);
    const { page } = await openWindow(browser, link);
    const card = page.locator(".finding[data-rule='plan-changed']");
    await card.getByRole("button", { name: /^K Keep it/ }).click();
    await page.waitForSelector(".what li:has-text('Nothing changes')");
    await decider(page).click();
    await card.waitFor({ state: "detached" });
    await page.waitForSelector("text=1 matter left as it is.");
    await page.getByRole("button", { name: "Show", exact: true }).click();
    await card.waitFor();
    expect(shop.steps()).toHaveLength(3);
  });

  it("that is gone by then is refused, and nothing is done", async () => {
    const shop = editedShop();
    const before = shop.repo.git("show", "HEAD:plan.md");
    const server = await startUi(shop);
    const { page } = await openWindow(browser, server.link);
    await page.getByRole("button", { name: /^R Read it again:/ }).click();
    await page.waitForSelector(".what li");
    writeFileSync(join(shop.repo.path, "plan.md"), `${before}\n`);
    await decider(page).click();
    await page.waitForSelector(".stale:has-text('Nothing was done')");
    await page.waitForSelector(".trouble:has-text('E240')");
    expect(await page.locator(".deciders button").count()).toBe(1);
    expect(repairs(shop)).toEqual([]);
  });

  it("that is another one by then is refused, and said anew", async () => {
    const shop = editedShop();
    const server = await startUi(shop);
    const { page } = await openWindow(browser, server.link);
    await page.getByRole("button", { name: /^R Read it again:/ }).click();
    await page.waitForSelector(".what li");
    shop.repo.write("plan.md", planText(THREE.slice(0, 2)));
    await decider(page).click();
    await page.waitForSelector(".stale:has-text('This is how it stands now')");
    await page.waitForSelector(".sheet:has-text('step-3')");
    expect(repairs(shop)).toEqual([]);
    // A person who still wants it begins anew, from how it stands now.
    await decider(page).click();
    await page.getByRole("button", { name: /^R Read it again:/ }).click();
    await page.waitForSelector(".what li");
    await decider(page).click();
    await page.waitForSelector("text=Nothing waits for a person");
    expect(shop.steps()).toHaveLength(2);
  });
});

describe("what needs no decision", () => {
  it("is listed, and repaired at once with a click, the work saved", async () => {
    const shop = runShop();
    shop.json("state", "init", "plan.md");
    shop.json("state", "claim", "plan.md", "--worktree", ".", "--lease-duration", "1");
    shop.repo.write("half.txt", "half");
    await until(() => shop.json("recover", "--dry-run").data.findings.length === 1);
    const { link } = await startUi(shop);
    const { page } = await openWindow(browser, link);
    await page.waitForSelector(".proven li:has-text('its owner is gone')");
    await page.waitForSelector("text=Nothing waits for a person");
    await page.getByRole("button", { name: "Repair automatically" }).click();
    await page.waitForSelector(".what li:has-text('plan.md#step-1')");
    await page.waitForSelector(".what li:has-text('saved in a snapshot first')");
    await decider(page).click();
    await page.waitForSelector(".proven", { state: "detached" });
    await page.waitForSelector(".jobs li.done", { state: "attached" });
    expect(shop.steps()[0]).toBe("step-1 pending");
    const [{ ref }] = shop.json("snapshot", "list").data.snapshots;
    expect(shop.repo.git("show", `${ref}:half.txt`)).toBe("half");
    expect(readFileSync(join(shop.repo.path, "half.txt"), "utf8")).toBe("half");
  });
});

describe("a look that fails", () => {
  it("says why, and does not say that nothing waits", async () => {
    const shop = editedShop();
    const { link } = await startUi(shop);
    shop.repo.write("pawl.toml", "[[[");
    const { page } = await openWindow(browser, link);
    await page.waitForSelector(".trouble:has-text('E091')");
    await page.waitForSelector(".card.plan");
    expect(await page.getByText("Nothing waits for a person").count()).toBe(0);
  });
});

describe("hostile findings", () => {
  it("are text, and an answer to one is an answer to no other", async () => {
    const shop = editedShop();
    const evil = `<img src=x onerror=alert(1)>=R:--auto "*' $(touch x).md`;
    shop.repo.write(evil, planText([{ number: "1", title: "<script>alert(1)</script>" }]));
    shop.repo.git("add", "--", evil);
    shop.repo.git("commit", "-qm", "evil", "--", evil);
    shop.json("state", "init", evil);
    shop.repo.write(
      evil,
      planText([
        { number: "1", title: "<script>alert(1)</script>" },
        { number: "2", title: "<svg onload=alert(2)>" },
      ]),
    );
    const { link } = await startUi(shop);
    const { page, complaints } = await openWindow(browser, link);
    page.on("dialog", (dialog) => complaints.push(dialog.message()));
    const card = page.locator(".finding", { hasText: "onerror" });
    await card.waitFor();
    expect(await page.locator(".finding").count()).toBe(2);
    await card.getByRole("button", { name: /^R Read it again:/ }).click();
    await page.waitForSelector(".what li");
    await decider(page).click();
    await card.waitFor({ state: "detached" });
    await page.waitForSelector(".finding[data-subject='plan.md']");
    expect(repairs(shop)).toHaveLength(1);
    expect(shop.query("select plan_path from steps where anchor in ('step-2', 'step-4')")).toEqual(
      expect.arrayContaining([{ plan_path: evil }, { plan_path: "plan.md" }]),
    );
    expect(shop.steps()).not.toContain("step-4 pending");
    expect(await page.locator("#page img, #page script").count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it("calls that name no finding, no choice, or all of them, do nothing", async () => {
    const shop = editedShop();
    const { get, post } = await enter(await startUi(shop));
    const { body } = await get("/api/findings");
    const [{ version }] = body.data.findings;
    expect(body.data.counts).toEqual({ decide: 1, proven: 0, know: 0 });
    const act = async (more: object) =>
      (await post("/api/act", { action: "decide", version, request_id: "r", ...more })).body.issues[0].code;
    const known = { rule: "plan-changed", subject: "plan.md", key: "R" };
    expect(await act({ ...known, subject: "*" })).toBe("E240");
    expect(await act({ ...known, key: "Z" })).toBe("E240");
    expect(await act({ ...known, rule: "agent-timed-out" })).toBe("E240");
    expect(await act({ ...known, subject: "plan.md=R --answer plan-changed:plan.md" })).toBe("E240");
    expect(await act({ ...known, version: "another" })).toBe("E240");
    expect(await act({ ...known, key: undefined })).not.toBe("E240");
    expect(repairs(shop)).toEqual([]);
  });

  it("and a reader without rights sees them without a button", async () => {
    const shop = editedShop();
    const { link } = await startUi(shop, "--read-only");
    const { page } = await openWindow(browser, link);
    const card = page.locator(".finding[data-rule='plan-changed']");
    await card.waitFor();
    expect(await card.locator("button").count()).toBe(0);
  });
});

it("a blocked step's card has what its agent asked and what it was refused, wherever the step is named", async () => {
  const settings = `agent = "command"\n[agents.command]\nprogram = ${JSON.stringify(AGENT.slice(1))}\n`;
  const shop = runShop(undefined, settings);
  shop.script({
    runs: [[{ say: "sh: 1: /etc/hosts: Read-only file system" }, { say: "Which colour: red or blue?" }]],
  });
  await shop.start("run", "plan.md").ended;
  const { page, go, complaints } = await openWindow(browser, (await startUi(shop)).link);
  const card = page.locator(".finding:has-text('step-1')");
  await card.waitFor();
  expect(await card.innerText()).toContain("Which colour: red or blue?");
  expect(await card.innerText()).toContain("refused: write /etc/hosts");
  await go("plan", "plan.md", "step", "step-1");
  await page.waitForSelector(".said:has-text('Which colour: red or blue?')");
  await page.waitForSelector(".refusals:has-text('write /etc/hosts')");
  expect(complaints).toEqual([]);
});
