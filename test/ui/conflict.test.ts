import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { addAxe, problemsOf } from "../support/axe.ts";
import { browserForTests } from "../support/browser.ts";
import { runShop } from "../support/run-shop.ts";
import { openWindow, startUi } from "../support/ui-shop.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await browserForTests();
});
afterAll(() => browser.close());

const text = (colour: string): string => `The fence is ${colour}.\nIt is long.\n`;

/** Three workers change the same line. The second one meets a conflict twice, so a person decides. */
async function conflicting() {
  const shop = runShop([
    { number: "1", tasks: ["paint"] },
    { number: "2", tasks: ["paint"] },
    { number: "3", tasks: ["paint"], dependsOn: ["step-1"] },
  ]);
  shop.repo.write("fence.txt", text("bare"));
  shop.repo.git("add", "fence.txt");
  shop.repo.git("commit", "-q", "-m", "fence");
  const [begun, again] = [shop.path("begun"), shop.path("again")];
  const landed = (count: number) => ({
    sh: `until test "$(git -C ${shop.repo.path} rev-list --count main..pawl/plan)" = ${count}; do sleep 0.1; done`,
  });
  const paint = (colour: string) => ({ write: "fence.txt", text: text(colour) });
  shop.script({
    steps: {
      "step-1": [[{ waitFor: begun }, paint("green"), { tick: "all" }]],
      "step-2": [
        [{ sh: `touch ${begun}` }, paint("red"), landed(1), { tick: "all" }],
        [
          { say: "Which colour is it to be?" },
          { sh: `touch ${again}` },
          paint("green and red"),
          landed(2),
          { tick: "all" },
        ],
      ],
      "step-3": [[{ waitFor: again }, paint("blue"), { tick: "all" }]],
    },
  });
  await shop.run("--workers", "3");
  expect(shop.steps()).toEqual(["step-1 completed", "step-2 blocked", "step-3 completed"]);
  return shop;
}

it("an agent that leaves the marks of a conflict leaves it to a person, with both sides", async () => {
  const shop = runShop([
    { number: "1", tasks: ["paint"] },
    { number: "2", tasks: ["paint"] },
  ]);
  shop.repo.write("fence.txt", text("bare"));
  shop.repo.git("add", "fence.txt");
  shop.repo.git("commit", "-q", "-m", "fence");
  const begun = shop.path("begun");
  const landed = `until test "$(git -C ${shop.repo.path} rev-list --count main..pawl/plan)" = 1; do sleep 0.1; done`;
  const paint = (colour: string) => ({ write: "fence.txt", text: text(colour) });
  shop.script({
    steps: {
      "step-1": [[{ waitFor: begun }, paint("green"), { tick: "all" }]],
      "step-2": [
        [{ sh: `touch ${begun}` }, paint("red"), { sh: landed }, { tick: "all" }],
        ...Array.from({ length: 4 }, () => [{ say: "I leave it." }, { tick: "all" }]),
      ],
    },
  });
  await shop.run("--workers", "2");
  expect(shop.query("select status, block_reason from steps where anchor = 'step-2'")).toEqual([
    { status: "blocked", block_reason: "merge_conflict" },
  ]);
  const { page, go, complaints } = await openWindow(browser, (await startUi(shop)).link);
  await go("plan", "plan.md", "step", "step-2");
  await page.waitForSelector(".conflict .side");
  expect(await page.locator(".conflict .landed pre").allInnerTexts()).toEqual(["The fence is green."]);
  expect(await page.locator(".conflict .own pre").allInnerTexts()).toEqual(["The fence is red."]);
  expect((await page.locator(".heading .choices button").allInnerTexts())[0]).toBe(
    "Redo on top of the newer work",
  );
  expect(complaints).toEqual([]);
});

it.each(["light", "dark"] as const)(
  "a real conflict shows both sides, and is redone on top of the newer work: %s",
  async (theme) => {
    const shop = await conflicting();
    const { page, go, complaints } = await openWindow(browser, (await startUi(shop)).link, {
      bypassCSP: true,
      colorScheme: theme,
    });
    await page.waitForSelector(".card.plan");
    await addAxe(page);
    await go("plan", "plan.md", "step", "step-2");
    await page.waitForSelector(".conflict .side");
    expect(await page.locator(".conflict .landed pre").allInnerTexts()).toEqual(["The fence is blue."]);
    expect(await page.locator(".conflict .own pre").allInnerTexts()).toEqual(["The fence is green and red."]);
    expect(await page.locator(".heading .choices button").allInnerTexts()).toEqual(
      expect.arrayContaining(["Redo on top of the newer work", "I merged it by hand"]),
    );
    // What would only pass its checks and conflict again is not offered.
    expect(await page.locator(".choices", { hasText: "Verify again" }).count()).toBe(0);
    await page.waitForSelector("pre.said:has-text('Which colour is it to be?')");
    await page.getByText(/^The kept commit \w+$/).click();
    const lines = page.locator(".conflict .diff .line");
    await lines.first().scrollIntoViewIfNeeded();
    const boxes = await Promise.all((await lines.all()).map(async (line) => (await line.boundingBox())!));
    expect(boxes.length).toBeGreaterThan(2);
    // Each line is below the one before, and as long as the space beside it.
    for (const [index, { x, y, width }] of boxes.entries()) {
      expect({ x, width }).toEqual({ x: boxes[0]!.x, width: boxes[0]!.width });
      if (index > 0) expect(y).toBeGreaterThan(boxes[index - 1]!.y);
    }
    const code = (await page.locator(".conflict .diff .code").boundingBox())!;
    expect(boxes[0]!.width).toBeGreaterThanOrEqual(code.width - 1);
    expect(await problemsOf(page)).toEqual([]);
    await page.setViewportSize({ width: 400, height: 800 });
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(400);
    await page.getByRole("button", { name: "Answer and retry" }).click();
    await page.waitForSelector(".what li");
    await page.locator("dialog textarea").first().fill("Green.");
    expect(await problemsOf(page)).toEqual([]);
    await page.locator(".deciders button.first").click();
    await expect.poll(() => shop.steps(), { timeout: 20_000 }).toContain("step-2 pending");
    shop.script({ steps: { "step-2": [[{ write: "fence.txt", text: text("grey") }, { tick: "all" }]] } });
    expect(await shop.run()).toMatchObject({ code: 0 });
    expect(shop.steps()).toEqual(["step-1 completed", "step-2 completed", "step-3 completed"]);
    expect(shop.repo.git("show", "pawl/plan:fence.txt").trim()).toBe(text("grey").trim());
    expect(complaints).toEqual([]);
  },
);
