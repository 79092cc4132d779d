import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { browserForTests } from "../support/browser.ts";
import { AGENT, runShop, untilWritten } from "../support/run-shop.ts";
import { atTerminal } from "../support/terminal.ts";
import { openWindow, startUi } from "../support/ui-shop.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await browserForTests();
});
afterAll(() => browser.close());

it("estimates only what agents can reach, on the page and at a terminal", async () => {
  const shop = runShop([
    { number: "1", tasks: ["dig"] },
    { number: "2", tasks: ["dig"] },
    { number: "3", tasks: ["dig"] },
    { number: "4", tasks: ["dig"], dependsOn: ["step-3"] },
    { number: "5", tasks: ["dig"], dependsOn: ["step-4"] },
    { number: "6", tasks: ["dig"] },
  ]);
  shop.script({ steps: { "step-6": [[{ write: "half.txt" }, { hang: true }]] } });
  shop.json("state", "init", "plan.md");
  shop.json("state", "hold", "plan.md", "step-3", "--reason", "rain");
  const { page, complaints } = await openWindow(browser, (await startUi(shop)).link);
  const { child, ended } = shop.start("run", "plan.md", ...AGENT);
  const line = page.locator(".progress-line");
  await untilWritten(join(shop.worktree(), "half.txt"));
  // One step is left, which an agent does now.
  await expect
    .poll(() => line.innerText())
    .toMatch(/^2\/6 · 1 working · 1 blocked · 2 wait for it · \d+ \w+ · about \d+ \w+ left · 1 active run$/);
  const terminal = atTerminal(
    { cwd: shop.repo.path, env: shop.env, columns: 80, rows: 24 },
    "status",
    "--watch",
  );
  await terminal.sees("2/6 · 1 working · 1 blocked · 2 wait for it · ");
  terminal.press("q");
  await terminal.ended;
  // Without two steps of this plan that are done, nothing says how long one takes.
  shop.json("state", "reopen", "plan.md", "step-2", "--reason", "it rained in");
  await expect.poll(() => line.innerText()).toMatch(/^1\/6 · 1 working · .* · time left unknown · /);
  expect(complaints).toEqual([]);
  child.kill("SIGTERM");
  await ended;
});
