import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { addAxe, problemsOf } from "../support/axe.ts";
import { browserForTests } from "../support/browser.ts";
import { AGENT, runShop, untilWritten } from "../support/run-shop.ts";
import { openWindow, startUi } from "../support/ui-shop.ts";
import { withDatabase } from "../support/world.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await browserForTests();
});
afterAll(() => browser.close());

const HANG = [{ write: "half.txt" }, { hang: true }];

interface Printed {
  readonly rule: string;
  readonly subject: string;
  readonly weight?: string;
}

const names = (findings: readonly Printed[]): readonly string[] =>
  findings.map(({ rule, subject }) => `${rule} ${subject}`).toSorted();

/** The lines of a text that begin with a word: each is one matter. */
const linesWith = (text: string, word: string): number =>
  text.split("\n").filter((line) => line.startsWith(`${word} `)).length;

it("what needs a person is one list on the page, in recover and in status, with a killed run as one matter", async () => {
  const shop = runShop(
    ["1", "2", "3"].map((number) => ({ number, tasks: ["dig"] })),
    `agent = "command"\n[agents.command]\nprogram = [${AGENT.slice(1)
      .map((word) => JSON.stringify(word))
      .join(", ")}]\n`,
  );
  shop.script({ runs: [HANG] });
  const { child, ended } = shop.start("run", "plan.md", "--workers", "3");
  for (const worker of [1, 2, 3]) await untilWritten(join(shop.worktree(worker), "half.txt"));
  child.kill("SIGKILL");
  await ended;
  const { page, go, complaints } = await openWindow(browser, (await startUi(shop)).link, { bypassCSP: true });
  await page.waitForSelector(".finding");
  await addAxe(page);
  shop.repo.write(
    "plan.md",
    readFileSync(join(shop.repo.path, "plan.md"), "utf8").replace("dig", "dig deeper"),
  );
  // The page hears of the file; the lists are asked once it has.
  const edited = page.locator(".finding[data-rule=plan-changed], [data-rule=step-edited]");
  await edited.first().waitFor();
  const recover = shop.json("recover", "--dry-run").data as { readonly open: readonly Printed[] };
  const status = shop.json("status").data as { readonly findings: readonly Printed[] };
  expect(names(status.findings.filter(({ weight }) => weight === "decide"))).toEqual(names(recover.open));
  const matters = linesWith(shop.pawl("status").stdout, "decide");
  expect(linesWith(shop.pawl("recover", "--dry-run").stdout, "decide")).toBe(matters);
  expect(await page.locator(".attention > .finding").count()).toBe(matters);
  // Three workers are three findings and one matter.
  expect(recover.open.filter(({ rule }) => rule === "interrupted-session")).toHaveLength(3);
  expect(await page.locator("[data-rule=interrupted-session]").count()).toBe(1);
  const said = await page.locator("[data-rule=interrupted-session] .because").textContent();
  expect(said).toMatch(/^Run \S+ of plan\.md with 3 workers at step-1, step-2, step-3 /);
  expect(shop.pawl("status").stdout.replaceAll(/\s+/g, " ")).toContain(said!.split(" (")[0]!);
  // Cut off, and not blocked: in the header, on the plan's card, on its board and in a terminal.
  expect(await page.locator(".progress-line").innerText()).toBe("0/3 · 3 interrupted · nothing running");
  expect(await page.locator(".card.plan .lane-counts").innerText()).toBe("3 interrupted");
  expect(await page.locator(".card.plan .lane-bar").getAttribute("aria-label")).toBe("3 interrupted");
  expect(shop.pawl("status").stdout).toContain("0/3 steps, 3 interrupted\n");
  expect(shop.pawl().stdout).toContain("plan.md: 0/3 steps, 3 interrupted\n");
  // Everywhere on the page the same number.
  for (const place of [[], ["journal"], ["plan", "plan.md", "board"]]) {
    await go(...place);
    await expect.poll(() => page.locator(".nav .count.stopped").textContent()).toBe(String(matters));
    expect(await page.title()).toMatch(new RegExp(`^\\(${matters}\\) `));
  }
  await page.getByRole("region", { name: "Interrupted, 3" }).waitFor();
  expect(await page.locator("link[rel=icon]").getAttribute("href")).toBe("/pawl-needs.svg");
  expect(await problemsOf(page)).toEqual([]);
  expect(complaints).toEqual([]);
});

it("a step that is blocked without a note has the words of the terminal, and edits are counted as files", async () => {
  const shop = runShop([{ number: "1", tasks: ["dig"] }]);
  shop.script({ runs: [[{ write: "work/a.txt" }, { write: "work/b.txt" }, { fail: "no more" }]] });
  await shop.run();
  expect(shop.steps()).toEqual(["step-1 blocked"]);
  withDatabase(join(shop.repo.path, ".git/pawl/state.db"), (database) =>
    database.exec("update steps set block_note = null"),
  );
  const { page, go, complaints } = await openWindow(browser, (await startUi(shop)).link);
  const [said = ""] = (await page.locator(".finding .because").first().innerText()).split(". ");
  expect(said).toBe('step-1 "Work 1" needs a person: its 3 attempts are used up');
  expect(shop.pawl("status").stdout.replaceAll(/\s+/g, " ")).toContain(said);
  await go("plan", "plan.md", "step", "step-1");
  await page.waitForSelector(".rows li:has-text('implement')");
  const rows = await page.locator(".rows li", { hasText: "implement" }).allInnerTexts();
  expect(rows.filter((row) => row.includes("2 files changed"))).toHaveLength(3);
  const [session] = shop.query("select id from sessions");
  await go("sessions", String(session!["id"]));
  await page.waitForSelector(".checkpoints li:has-text('2 files')");
  for (const place of [[], ["plan", "plan.md", "step", "step-1"], ["sessions", String(session!["id"])]]) {
    await go(...place);
    await page.waitForSelector("h1");
    const text = await page.locator("main").innerText();
    expect(text).not.toMatch(/No reason|\b0 files|\.\.(?!\.)/);
  }
  expect(complaints).toEqual([]);
});
