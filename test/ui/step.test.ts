import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { browserForTests } from "../support/browser.ts";
import { AGENT, GOOD, runShop, untilWritten } from "../support/run-shop.ts";
import { enter, openWindow, startUi } from "../support/ui-shop.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await browserForTests();
});
afterAll(() => browser.close());

const settings = `agent = "command"\n[agents.command]\nprogram = ${JSON.stringify([AGENT[1], AGENT[2]])}\n`;

describe("what a step has beside its state", () => {
  it("shows a result that came too late, where it is kept, and that it changed nothing", async () => {
    const shop = runShop();
    shop.json("state", "init", "plan.md");
    const mine = shop.repo.addWorktree("mine");
    const other = shop.repo.addWorktree("other");
    expect(shop.json("state", "claim", "plan.md", "--worktree", mine).data).toMatchObject({ claim: 1 });
    shop.repo.git("-C", mine, "commit", "-q", "--allow-empty", "-m", "late work");
    const commit = shop.repo.git("-C", mine, "rev-parse", "HEAD");
    const { page, go, complaints } = await openWindow(browser, (await startUi(shop)).link);
    await go("plan", "plan.md", "step", "step-1");
    await page.waitForSelector(".badge:has-text('claimed')");
    expect(await page.locator("#late").count()).toBe(0);
    shop.json("state", "claim", "plan.md", "--worktree", other, "--force", "--step", "step-1");
    const late = ["--commit", commit, "--claim", "1", "--worktree", mine];
    expect(shop.json("state", "complete", "plan.md", "step-1", ...late).status).toBe("error");
    await page.waitForSelector(`.late li:has-text('claim 1'):has-text('${commit.slice(0, 10)}')`);
    await page.waitForSelector(".late li:has-text('refs/pawl/late/')");
    await page.waitForSelector(".badge:has-text('claimed')");
    expect(complaints).toEqual([]);
  });

  it("shows the work that was kept between its commands, and how to look at it", async () => {
    const shop = runShop(undefined, settings);
    shop.script({ steps: { "step-1": [[{ write: "half.txt" }, { hang: true }]] } });
    const { child, ended } = shop.start("run", "plan.md");
    await untilWritten(join(shop.worktree(), "half.txt"));
    child.kill("SIGINT");
    await ended;
    const [kept] = shop.query("select snapshot_ref from sessions where snapshot_ref is not null");
    const name = String(kept!["snapshot_ref"]).split("/").at(-1)!;
    const { page, go } = await openWindow(browser, (await startUi(shop)).link);
    await go("plan", "plan.md", "step", "step-1");
    await page.waitForSelector(`.snapshots li:has-text('pawl snapshot show ${name}')`);
    expect(shop.pawl("snapshot", "show", name).stdout).toContain("half.txt");
    await page.locator(".snapshots").getByLabel("Copy the command").first().waitFor();
    await page.locator(".snapshots summary", { hasText: "Changes" }).first().click();
    await page.waitForSelector(".snapshots .diff .file:has-text('half.txt') .line.added");
    await go("worktrees");
    await page.locator("summary", { hasText: "Uncommitted changes" }).click();
    await page.waitForSelector(".card .diff .file:has-text('half.txt') .line.added");
  });
});

describe("what an action says beforehand", () => {
  it("to run: who, which steps, what must hold before a commit, and what stays", async () => {
    const shop = runShop(undefined, settings);
    shop.script({ steps: { "step-1": [GOOD] } });
    expect((await shop.run("--max-steps", "1")).code).toBe(0);
    shop.json("state", "hold", "plan.md", "step-3");
    const { get } = await enter(await startUi(shop));
    const { data } = (await get("/api/preview?action=run&plan=plan.md")).body;
    const said = [...data.effects, ...data.keeps].join("\n");
    expect(said).toContain("command starts in a worktree of its own");
    expect(said).toContain('1 step is open: it begins with step-2 "');
    expect(said).toContain("1 completed step is not redone.");
    expect(said).toContain("1 step is blocked or on hold, and not run.");
    expect(said).toContain("committed to pawl/plan once this holds: every item of the checklist is ticked");
    expect(said).toContain("Your checkout is not touched");
  });

  it("to hold: from which state, who loses it, and which ticks stay", async () => {
    const shop = runShop();
    shop.json("state", "init", "plan.md");
    const claim = shop.json("state", "claim", "plan.md", "--worktree", ".").data;
    const mine = ["--worktree", ".", "--claim", String(claim.claim)];
    shop.json("state", "start", "plan.md", "step-1", ...mine);
    shop.json("state", "update", "plan.md", "step-1", "--all", "completed", ...mine);
    const { get } = await enter(await startUi(shop));
    const { data } = (await get("/api/preview?action=hold&plan=plan.md&step=step-1")).body;
    expect(data.effects[0]).toContain("from in progress to on hold");
    expect(data.effects[1]).toContain(`whatever it still reports under claim ${claim.claim} is refused`);
    expect(data.keeps).toContain(
      "1 of 1 item ticked: ticks stay; items that were only started or deferred are open again.",
    );
    shop.json("state", "hold", "plan.md", "step-1");
    const [{ n }] = shop.query("select count(*) as n from checklist_items where status = 'completed'") as [
      { readonly n: number },
    ];
    expect(n).toBe(1);
  });

  it("to fix: what exactly would be fixed, and what is left to you", async () => {
    const shop = runShop(undefined, settings);
    shop.script({ steps: { "step-1": [[{ write: "half.txt" }, { hang: true }]] } });
    shop.json("state", "init", "plan.md");
    const { get } = await enter(await startUi(shop));
    const preview = async () => (await get("/api/preview?action=fix")).body.data;
    expect((await preview()).effects).toEqual(["Nothing to fix now; the checks run again."]);
    const { child, ended } = shop.start("run", "plan.md");
    await untilWritten(join(shop.worktree(), "half.txt"));
    child.kill("SIGKILL");
    await ended;
    // The next verb that writes records that the session has ended; the file of its lifeline is left.
    shop.json("gc");
    const data = await preview();
    expect(data.effects).toEqual([
      "sessions: 1 lifeline file of ended sessions; `pawl doctor --fix` removes them.",
    ]);
    expect(data.keeps.join("\n")).toContain("No work, commit, branch or worktree is touched");
  });
});
