import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { addAxe, problemsOf } from "../support/axe.ts";
import { browserForTests } from "../support/browser.ts";
import { planText } from "../support/plans.ts";
import { AGENT, GOOD, runShop, untilWritten } from "../support/run-shop.ts";
import { openWindow, startUi } from "../support/ui-shop.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await browserForTests();
});
afterAll(() => browser.close());

it("sums the steps of each plan apart, marks now, and zooms to one run and back", async () => {
  const steps = [{ number: "1", tasks: ["dig"] }];
  const shop = runShop(steps);
  for (const name of ["other.md", "third.md"]) shop.repo.write(name, planText(steps));
  shop.repo.git("add", "-A");
  shop.repo.git("commit", "-qm", "two more plans");
  shop.script({ steps: { "step-1": [GOOD, GOOD, [{ write: "half.txt" }, { hang: true }]] } });
  for (const plan of ["plan.md", "other.md"])
    expect(shop.pawl("run", plan, ...AGENT)).toMatchObject({ code: 0 });
  const { child, ended } = shop.start("run", "third.md", ...AGENT);
  await untilWritten(join(shop.repo.path, ".pawl/worktrees/third-w1/half.txt"));
  const { page, go, complaints } = await openWindow(browser, (await startUi(shop)).link, { bypassCSP: true });
  await go("timeline");
  await page.waitForSelector(".span.working");
  // One bar for step-1 of each plan.
  const bars = page.locator(".bars .name");
  expect((await bars.allInnerTexts()).toSorted()).toEqual([
    "step-1 other.md",
    "step-1 plan.md",
    "step-1 third.md",
  ]);
  // Now is where the bar of what runs ends, and only there.
  const [now, working] = [page.locator(".lifeline-track .now"), page.locator(".span.working")];
  expect([await now.count(), await working.count()]).toEqual([1, 1]);
  const right = async (of: typeof now): Promise<number> => {
    const box = await of.boundingBox();
    return box!.x + box!.width;
  };
  expect(Math.abs((await right(now)) - (await right(working)))).toBeLessThan(4);
  // A bar is longer where less else is shown.
  const group = page.getByRole("group", { name: "Run of plan.md" });
  const widthOf = async (): Promise<number> => (await group.locator(".life").boundingBox())!.width;
  const before = await widthOf();
  await group.getByRole("button", { name: "Zoom to this run" }).click();
  await expect.poll(() => page.getByRole("group", { name: /^Run of/ }).count()).toBe(1);
  expect(await widthOf()).toBeGreaterThan(before * 1.5);
  await addAxe(page);
  expect(await problemsOf(page)).toEqual([]);
  await group.getByRole("button", { name: "Show everything" }).click();
  await expect.poll(() => page.getByRole("group", { name: /^Run of/ }).count()).toBe(3);
  expect(complaints).toEqual([]);
  child.kill("SIGTERM");
  await ended;
});
