import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { browserForTests } from "../support/browser.ts";
import { planText } from "../support/plans.ts";
import { AGENT, GOOD, runShop, THREE, untilWritten } from "../support/run-shop.ts";
import { lives } from "../support/supervised.ts";
import { enter, moveTo, oneMoreLink, openWindow, startUi } from "../support/ui-shop.ts";
import { until } from "../support/until.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await browserForTests();
});
afterAll(() => browser.close());

const HANG = [{ say: "half way" }, { write: "half.txt" }, { hang: true }];
/** The runner works for the page when the page starts it, so the agent is in the settings. */
const settings = `agent = "command"\n[agents.command]\nprogram = ${JSON.stringify([AGENT[1], AGENT[2]])}\n`;

describe("the page while agents work", () => {
  it("shows a run from its first step to its last without being asked again", async () => {
    const shop = runShop();
    const gate = shop.path("go");
    shop.script({
      steps: {
        "step-1": [[{ say: "digging now" }, { waitFor: gate }, ...GOOD]],
      },
    });
    shop.json("state", "init", "plan.md");
    const { link } = await startUi(shop);
    const { page, go, complaints } = await openWindow(browser, link);
    await go("plan", "plan.md", "board");
    await page.waitForSelector(".column.ready [data-anchor='step-1']");
    const { ended } = shop.start("run", "plan.md", ...AGENT);
    await page.waitForSelector(".column.working [data-anchor='step-1']");
    await page.click("[data-anchor='step-1']");
    await page.click("aside a[href*='sessions']");
    await page.waitForSelector(".output .events:has-text('digging now')");
    writeFileSync(gate, "");
    await page.waitForSelector(".checkpoints li.done:has-text('step-3')");
    expect((await ended).code).toBe(0);
    await go("plan", "plan.md", "board");
    await page.waitForSelector(".column.done [data-anchor='step-3']");
    expect(await page.locator(".column.done .step-card").count()).toBe(3);
    await go();
    await page.waitForSelector(".card.plan:has-text('3/3')");
    await page.waitForSelector("text=Nothing waits for a person");
    expect(complaints).toEqual([]);
  });

  it("shows what other processes and editors change within 300 ms", { retry: 2 }, async () => {
    const shop = runShop();
    shop.json("state", "init", "plan.md");
    const server = await startUi(shop);
    const { page, go } = await openWindow(browser, server.link);
    await go("plan", "plan.md", "board");
    await page.waitForSelector(".column.ready [data-anchor='step-1']");
    /** From the instant that the other process wrote down to the change of the page, by the same clock. */
    const untilSeen = async (sign: string, change: () => number): Promise<number> => {
      await page.evaluate(`{
        const seen = new MutationObserver(() => {
          if (!document.querySelector(${JSON.stringify(sign)})) return;
          seen.disconnect();
          document.body.dataset.seenAt = String(Date.now());
        });
        delete document.body.dataset.seenAt;
        seen.observe(document.body, { childList: true, subtree: true, characterData: true });
      }`);
      const changedAt = change();
      await page.waitForSelector("body[data-seen-at]");
      return Number(await page.evaluate("document.body.dataset.seenAt")) - changedAt;
    };
    const verb = (name: string) => () => {
      shop.json("state", name, "plan.md", "step-1");
      const [line] = shop.query("select at from events order by id desc limit 1");
      return Date.parse(String(line!["at"]));
    };
    const times: Record<"process" | "editor", number[]> = { process: [], editor: [] };
    for (let round = 0; round < 5; round += 1) {
      times.process.push(await untilSeen(".column.stopped [data-anchor='step-1']", verb("hold")));
      times.process.push(await untilSeen(".column.ready [data-anchor='step-1']", verb("retry")));
    }
    let edits = 0;
    const edit = () => {
      edits += 1;
      shop.repo.write("plan.md", `${planText(THREE)}\n${"More words.\n".repeat(edits)}`);
      return Date.now();
    };
    // The first look only learns what the file is like.
    await expect
      .poll(() => (edit(), page.locator(".file-news").count()), { interval: 300, timeout: 20_000 })
      .toBe(1);
    for (let round = 0; round < 5; round += 1) {
      await page.reload();
      await page.waitForSelector(".column.ready [data-anchor='step-1']");
      await page.waitForSelector(".connection.live");
      times.editor.push(await untilSeen(".file-news", edit));
    }
    const middle = (all: readonly number[]) => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)]!;
    console.log("seen after, in ms:", JSON.stringify(times));
    expect(middle(times.process)).toBeLessThan(300);
    expect(middle(times.editor)).toBeLessThan(300);
    // Others may have the processor for a while; no single change may get lost in that.
    expect(Math.max(...times.process, ...times.editor)).toBeLessThan(3000);
  });
});

describe("a page that is still coming", () => {
  it("misses nothing that happens before the server tells it what happens", async () => {
    const shop = runShop();
    shop.json("state", "init", "plan.md");
    const { link } = await startUi(shop);
    const window = await openWindow(browser, link);
    await window.page.waitForSelector(".card.plan");
    await window.go("plan", "plan.md", "list");
    let held = false;
    await window.page.route("**/api/live**", async (route) => {
      // Longer than anything else takes: a reader before the answer reads what was.
      if (!held) {
        await new Promise((go) => setTimeout(go, 1500));
        held = shop.json("state", "hold", "plan.md", "step-1").status === "ok";
      }
      await route.continue();
    });
    await window.page.reload();
    await window.page.waitForSelector("[data-anchor='step-1'] .badge:has-text('on hold')");
    expect(held).toBe(true);
  });
});

describe("a runner that is killed", () => {
  it("is shown as interrupted, and its button resumes it to the end", async () => {
    const shop = runShop(undefined, settings);
    shop.script({ steps: { "step-2": [HANG, GOOD] } });
    const { link } = await startUi(shop);
    const { page } = await openWindow(browser, link);
    const { child, ended } = shop.start("run", "plan.md");
    await untilWritten(join(shop.worktree(), "half.txt"));
    child.kill("SIGKILL");
    await ended;
    // For a moment it may only be known that the process is gone.
    const what = "was interrupted at step-2, implement (by a kill or crash";
    const card = page.locator("[data-rule='interrupted-session']", { hasText: what });
    await card.waitFor();
    await card.getByRole("button", { name: /^R Resume/ }).click();
    await page.waitForSelector(".what li:has-text('continues where it stopped')");
    await page.locator(".deciders button.first").click();
    await page.waitForSelector(".card.plan:has-text('3/3')");
    await page.waitForSelector("text=Nothing waits for a person");
    await page.waitForSelector(".jobs li.done", { state: "attached" });
    expect(shop.steps()).toEqual(["step-1 completed", "step-2 completed", "step-3 completed"]);
    expect(shop.commits()).toEqual(["step-1", "step-2", "step-3"]);
  });

  it("leaves a step that no agent works on: every view says so, and its clocks stand still", async () => {
    const shop = runShop(undefined, settings);
    shop.script({ steps: { "step-2": [HANG, GOOD] } });
    shop.json("state", "init", "plan.md");
    const server = await startUi(shop);
    const { page, go, complaints } = await openWindow(browser, server.link);
    const { child, ended } = shop.start("run", "plan.md");
    await go("plan", "plan.md", "board");
    await untilWritten(join(shop.worktree(), "half.txt"));
    await page.waitForSelector(".column.working [data-anchor='step-2']");
    child.kill("SIGKILL");
    await ended;
    await page.waitForSelector(".column.stopped [data-anchor='step-2']:has-text('interrupted')");
    expect(await page.locator(".column.working .step-card").count()).toBe(0);
    await go("plan", "plan.md", "list");
    await page.waitForSelector("[data-anchor='step-2'] .badge.stopped:has-text('interrupted')");
    await go("plan", "plan.md", "graph");
    await page.waitForSelector(".node.stopped[data-anchor='step-2']:has-text('interrupted')");
    await go("plan", "plan.md", "step", "step-2");
    await page.waitForSelector(".rows li:has-text('cut off')");
    expect(await page.locator("aside:has-text('left')").count()).toBe(0);
    const [session] = shop.query("select id, interrupted_at from sessions");
    await go("sessions", String(session!["id"]));
    await page.waitForSelector(".checkpoints li.stopped:has-text('cut off')");
    expect(await page.locator(".checkpoints li.working").count()).toBe(0);
    await go("timeline");
    await page.waitForSelector(".lifeline .span.stopped");
    expect(await page.locator(".lifeline .span.working").count()).toBe(0);
    const { get } = await enter({ ...server, link: await oneMoreLink(page) });
    const { body } = await get("/api/timeline");
    expect(body.data.sessions[0].ended_at).toBe(session!["interrupted_at"]);
    expect(complaints).toEqual([]);
  });

  it("keeps running when the page's server ends", async () => {
    const shop = runShop(undefined, settings);
    const gate = shop.path("go");
    shop.script({ steps: { "step-1": [[{ write: "begun.txt" }, { waitFor: gate }, ...GOOD]] } });
    shop.json("state", "init", "plan.md");
    const server = await startUi(shop);
    const { post, get } = await enter(server);
    const { body } = await get("/api/preview?action=run&plan=plan.md");
    const acted = await post("/api/act", {
      action: "run",
      plan: "plan.md",
      version: body.data.version,
      request_id: "one",
    });
    expect(acted.status).toBe(200);
    await untilWritten(join(shop.worktree(), "begun.txt"));
    server.child.kill("SIGTERM");
    await new Promise((gone) => server.child.once("exit", gone));
    writeFileSync(gate, "");
    await until(() => shop.steps().every((line) => line.endsWith("completed")));
    // It has more to do after its last step, in folders that go with the test.
    await until(() => shop.query("select pid from sessions").every(({ pid }) => !lives(Number(pid))));
    expect(existsSync(join(shop.repo.path, "work"))).toBe(false);
  });
});

describe("several at once", () => {
  it("two pages and a command line see the same, and what is being decided follows", async () => {
    const shop = runShop();
    shop.json("state", "init", "plan.md");
    const server = await startUi(shop);
    const one = await openWindow(browser, server.link);
    await one.page.waitForSelector(".card.plan");
    const popup = one.context.waitForEvent("page");
    await one.page.keyboard.press("n");
    const two = await popup;
    await two.waitForSelector(".card.plan");
    for (const page of [one.page, two]) await moveTo(page, "#/plan/plan.md/step/step-1");
    await one.page.getByRole("button", { name: /^Put on hold/ }).click();
    await one.page.waitForSelector(".what li");
    expect(await one.page.locator(".what li:has-text('loses it')").count()).toBe(0);
    // A person claims it on a command line: both pages show it, and what the action would do now.
    shop.json("state", "claim", "plan.md", "--worktree", ".");
    await two.waitForSelector(".badge:has-text('claimed')");
    await one.page.waitForSelector(".stale:has-text('This is how it stands now')");
    await one.page.waitForSelector(".what li:has-text('loses it')");
    await one.page.locator(".deciders button.first").click();
    for (const page of [one.page, two]) await page.waitForSelector(".badge:has-text('on hold')");
    expect(shop.steps()[0]).toBe("step-1 on_hold");
  });

  it("a decision that comes too late does nothing, and leaves nothing to decide but to close", async () => {
    const shop = runShop();
    shop.json("state", "init", "plan.md");
    const { page, go } = await openWindow(browser, (await startUi(shop)).link);
    await go("plan", "plan.md", "step", "step-1");
    const decideLate = async (name: RegExp, meanwhile: readonly string[]) => {
      await page.getByRole("button", { name }).first().click();
      await page.waitForSelector(".what li");
      // It happens while the decision is on its way, so no news can come before it.
      await page.route("**/api/act", async (route) => {
        shop.json(...meanwhile);
        await route.continue();
      });
      await page.locator(".deciders button.first").click();
      await page.waitForSelector(".deciders:has(button:only-child:has-text('Close'))");
      await page.unroute("**/api/act");
    };
    const claim = ["state", "claim", "plan.md", "--worktree", "."];
    await decideLate(/^Put on hold/, claim);
    await page.waitForSelector(".stale:has-text('Nothing was done')");
    await page.waitForSelector(".what li:has-text('loses it')");
    expect(shop.steps()[0]).toBe("step-1 claimed");
    await page.locator(".deciders button").click();
    await page.waitForSelector(".badge:has-text('claimed')");
    // And when it is not possible any more, what it would have done is gone.
    await decideLate(/^Put on hold/, ["state", "hold", "plan.md", "step-1"]);
    await page.waitForSelector(".sheet .trouble:has-text('there is nothing to hold')");
    expect(await page.locator(".what").count()).toBe(0);
    expect(shop.query("select count(*) as n from events where event = 'held'")).toEqual([{ n: 1 }]);
  });

  it("repeats a decision without a second effect", async () => {
    const shop = runShop();
    shop.json("state", "init", "plan.md");
    const { post, get } = await enter(await startUi(shop));
    const { body } = await get("/api/preview?action=hold&plan=plan.md&step=step-1");
    const decision = {
      action: "hold",
      plan: "plan.md",
      step: "step-1",
      version: body.data.version,
      request_id: "same",
    };
    const first = await post("/api/act", decision);
    const again = await post("/api/act", decision);
    expect(again).toEqual(first);
    expect(shop.query("select count(*) as n from events where event = 'held'")).toEqual([{ n: 1 }]);
  });
});

describe("a server that is asked too much", () => {
  it("is asked again a little later, and nothing old stays on the page", async () => {
    const shop = runShop();
    shop.json("state", "init", "plan.md");
    const { page, go, complaints } = await openWindow(browser, (await startUi(shop)).link);
    await go("plan", "plan.md", "board");
    await page.waitForSelector(".column.ready [data-anchor='step-1']");
    const refuseTwice = async (path: string) => {
      let left = 2;
      await page.route(path, (route) => {
        left -= 1;
        return left < 0 ? route.continue() : route.fulfill({ status: 429, json: { issues: [] } });
      });
    };
    await refuseTwice("**/api/steps?**");
    shop.json("state", "hold", "plan.md", "step-1");
    await page.waitForSelector(".column.stopped [data-anchor='step-1']");
    await go("plan", "plan.md", "step", "step-1");
    await page.waitForSelector(".badge:has-text('on hold')");
    await refuseTwice("**/api/step?**");
    shop.json("state", "retry", "plan.md", "step-1");
    await page.waitForSelector(".badge:has-text('ready')");
    expect(complaints).toEqual([]);
  });
});

describe("a server that is started anew", () => {
  it("asks for its new link, and continues where the window was, with what was missed", async () => {
    const shop = runShop();
    shop.json("state", "init", "plan.md");
    const first = await startUi(shop);
    const { page, go } = await openWindow(browser, first.link);
    await go("plan", "plan.md", "list");
    await page.waitForSelector("[data-anchor='step-1'] .badge:has-text('ready')");
    first.child.kill("SIGKILL");
    await page.waitForSelector(".connection.lost");
    shop.json("state", "hold", "plan.md", "step-1");
    const second = await startUi(shop, "--port", String(first.port));
    await page.waitForSelector("text=This window needs a link");
    await moveTo(page, new URL(second.link).hash);
    await page.waitForSelector("[data-anchor='step-1'] .badge:has-text('on hold')");
    await page.waitForSelector(".connection.live");
    expect(new URL(page.url()).hash).toBe("#/plan/plan.md/list");
  });

  it("comes back by itself after a silence, and has missed nothing", async () => {
    const shop = runShop();
    shop.json("state", "init", "plan.md");
    const server = await startUi(shop);
    const { page, go } = await openWindow(browser, server.link);
    await go("journal");
    await page.waitForSelector(".event-line");
    const caller = await enter({ ...server, link: await oneMoreLink(page) });
    server.child.kill("SIGSTOP");
    shop.json("state", "hold", "plan.md", "step-1");
    shop.json("state", "retry", "plan.md", "step-1");
    // It does not answer, but the line is not cut either.
    await page.waitForSelector(".connection.lost");
    server.child.kill("SIGCONT");
    await page.waitForSelector(".event-line:has-text('retried')");
    const lines = await page.locator(".event-line .event").allTextContents();
    expect(lines.slice(0, 2)).toEqual(["retried", "held"]);
    const last = Number(shop.query("select max(id) as id from events")[0]!["id"]);
    const stream = await fetch(`${server.origin}/api/live`, {
      headers: { Authorization: `Bearer ${caller.token}`, "Last-Event-ID": String(last - 2) },
    });
    const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader();
    let heard = "";
    while (!heard.includes(`id: ${last}\n`)) heard += (await reader.read()).value ?? "";
    expect([...heard.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id))).toEqual([last - 1, last]);
    await reader.cancel();
  });
});
