import { writeFileSync } from "node:fs";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { browserForTests } from "../support/browser.ts";
import { planText } from "../support/plans.ts";
import { runShop } from "../support/run-shop.ts";
import { enter, openWindow, startUi } from "../support/ui-shop.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await browserForTests();
});
afterAll(() => browser.close());

const LONG = planText(
  Array.from({ length: 400 }, (_, index) => ({
    number: String(index + 1),
    title: `Work ${index + 1}`,
    tasks: [`task ${index + 1} with some words`, "<img src=x onerror=alert(1)>"],
  })),
);

describe("what a long plan says about a step", () => {
  it("is shown beside the rest, as text, and anew when the file is another", async () => {
    const shop = runShop();
    const text = LONG.replace("{#step-300}\n", "{#step-300}\n\nMind the **gap** at `north`.\n");
    shop.repo.write("long-plan.md", text);
    shop.json("state", "init", "long-plan.md");
    const { page, go, complaints } = await openWindow(browser, (await startUi(shop)).link);
    await go("plan", "long-plan.md", "step", "step-300");
    await page.waitForSelector(".prose strong:has-text('gap')");
    await page.waitForSelector(".prose code:has-text('north')");
    shop.repo.write("long-plan.md", text.replace("the **gap**", "the **step**"));
    await page.waitForSelector(".prose strong:has-text('step')");
    expect(await page.locator(".prose img").count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it("is read from plans that have state, and from no other file", async () => {
    const shop = runShop();
    shop.json("state", "init", "plan.md");
    const secret = planText([{ number: "1", title: "Secret", tasks: ["hidden words"] }]);
    writeFileSync(shop.path("secret.md"), secret);
    shop.repo.write("unread.md", secret);
    const { get } = await enter(await startUi(shop));
    const ask = (plan: string, step = "step-1") =>
      get(`/api/text?${String(new URLSearchParams({ plan, step }))}`);
    expect((await ask("plan.md")).body.data.text).toContain("dig");
    for (const plan of [
      "../secret.md",
      shop.path("secret.md"),
      "unread.md",
      "./../secret.md",
      "--help",
      "-",
    ]) {
      const { status, body } = await ask(plan);
      expect({ plan, isRefused: status >= 400 }).toEqual({ plan, isRefused: true });
      expect(JSON.stringify(body)).not.toContain("hidden words");
    }
    for (const step of ["--format=json", "step-9", "-h", "../x"])
      expect((await ask("plan.md", step)).status).toBeGreaterThanOrEqual(400);
  });
});
