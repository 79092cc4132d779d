import { writeFileSync } from "node:fs";
import { createServer } from "node:net";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { browserForTests } from "../support/browser.ts";
import { AGENT, GOOD, runShop } from "../support/run-shop.ts";
import { enter, listening, openWindow, startUi } from "../support/ui-shop.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await browserForTests();
});
afterAll(() => browser.close());

const hasEnded = (origin: string): Promise<boolean> =>
  fetch(origin).then(
    () => false,
    () => true,
  );

describe("the page beside a run", () => {
  it("shows the run that serves it, acts on its plan, and stays with what came of it until its window is closed", async () => {
    const shop = runShop();
    const gate = shop.path("go");
    shop.script({ steps: { "step-1": [[{ say: "digging now" }, { waitFor: gate }, ...GOOD]] } });
    const { child, ended } = shop.start("run", "plan.md", "--ui", "--no-open", "--json", ...AGENT);
    const { link, origin } = await listening(child);
    const { page, go, complaints } = await openWindow(browser, link);
    await go("plan", "plan.md", "board");
    await page.waitForSelector(".column.working [data-anchor='step-1']");
    await page.click("[data-anchor='step-1']");
    await page.click("aside a[href*='sessions']");
    await page.waitForSelector(".output .events:has-text('digging now')");
    await go("plan", "plan.md", "step", "step-3");
    await page.click(".choices button:has-text('hold')");
    await page.click(".deciders button.first");
    await page.waitForSelector(".badge:has-text('on hold')");
    await go();
    writeFileSync(gate, "");
    // The run has ended: nothing is at work any more, and its card says what was done.
    await page.waitForSelector(".card.run:not(.running):has-text('2 steps completed')");
    await page.waitForSelector(".about:has-text('nothing running')");
    await page.waitForSelector(".connection.live");
    expect(child.exitCode).toBeNull();
    await page.close();
    const { code, stdout } = await ended;
    const lines = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.map(({ event }) => event).slice(0, 2)).toEqual(["listening", "plan"]);
    expect(lines.at(-1)).toMatchObject({ command: "run", status: "ok", data: { ended: "stuck" } });
    // The step that was put on hold on the page waits for a person.
    expect(code).toBe(5);
    expect(shop.steps()).toEqual(["step-1 completed", "step-2 completed", "step-3 on_hold"]);
    expect(await hasEnded(origin)).toBe(true);
    expect(complaints).toEqual([]);
  });

  it("says of a run that ended how many steps were completed and how many were blocked", async () => {
    const shop = runShop(
      [
        { number: "1", tasks: ["dig"] },
        { number: "2", tasks: ["fill"] },
      ],
      '[verify]\ncommand = ["test", "!", "-e", "work/step-2.txt"]\n',
    );
    expect(await shop.run()).toMatchObject({ code: 5 });
    const { page } = await openWindow(browser, (await startUi(shop)).link);
    await page.waitForSelector(".card.run .summary:has-text('1 step completed'):has-text('1 blocked')");
  });

  it("ends when the run is interrupted, and the run resumed with --ui has one of its own", async () => {
    const shop = runShop();
    shop.script({ steps: { "step-1": [[{ hang: true }], GOOD] } });
    const first = shop.start("run", "plan.md", "--ui", "--read-only", "--no-open", "--json", ...AGENT);
    const page = await listening(first.child);
    const { get, post } = await enter(page);
    await expect.poll(() => shop.starts("step-1"), { timeout: 30_000 }).toBe(1);
    expect((await get("/api/overview")).body.data).toMatchObject({ read_only: true });
    expect((await post("/api/act", { action: "hold" })).status).toBe(403);
    first.child.kill("SIGINT");
    expect((await first.ended).code).toBe(130);
    expect(await hasEnded(page.origin)).toBe(true);
    const second = shop.start("resume", "--ui", "--no-open");
    const { code, stderr } = await second.ended;
    expect(code).toBe(0);
    expect(stderr.split("\n")[0]).toMatch(
      /^Pawl's page is at http:\/\/127\.0\.0\.1:\d+\/#ticket=\S+\. The link/,
    );
  });

  it("begins nothing when the page cannot be served, or was not asked for", async () => {
    const shop = runShop();
    const taken = createServer();
    onTestFinished(() => void taken.close());
    await new Promise<void>((go) => taken.listen(0, "127.0.0.1", go));
    const { port } = taken.address() as { readonly port: number };
    const refused = shop.json("run", "plan.md", "--ui", "--port", String(port));
    expect(refused.issues[0]).toMatchObject({ name: "ui/not-served" });
    expect(shop.json("run", "plan.md", "--no-open").issues[0].message).toContain("goes with --ui");
    expect(shop.json("sessions", "list").data?.sessions ?? []).toEqual([]);
  });
});
