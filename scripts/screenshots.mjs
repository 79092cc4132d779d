// Pictures of every view in both themes, from a page with everything on it, into docs/images.
// `--to DIR` puts them elsewhere; `--only NAME` takes one view; `--narrow` adds those at the width of a phone.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { launch } from "./browser.mjs";
import { makeShowcase } from "./showcase.mjs";

const option = (name) => {
  const at = process.argv.indexOf(`--${name}`);
  return at === -1 ? undefined : process.argv[at + 1];
};
const folder = option("to") ?? fileURLToPath(new URL("../docs/images", import.meta.url));
const only = option("only");
const PLAN = encodeURIComponent("docs/checkout-plan.md");

const VIEWS = {
  overview: ["#/", ".finding"],
  board: [`#/plan/${PLAN}/board`, ".step-card"],
  graph: [`#/plan/${PLAN}/graph`, ".node"],
  list: [`#/plan/${PLAN}/list`, ".step-row"],
  step: [`#/plan/${PLAN}/step/step-5`, "text=Verification"],
  "step-done": [`#/plan/${PLAN}/step/step-1`, ".diff .line"],
  sessions: ["#/sessions", ".session-table li"],
  session: [undefined, ".transcript .event"],
  timeline: [`#/timeline/${PLAN}`, ".span"],
  worktrees: ["#/worktrees", ".worktree-cards .card"],
  journal: ["#/journal", ".event-line"],
  doctor: ["#/doctor", ".checks li"],
};

mkdirSync(folder, { recursive: true });
const show = await makeShowcase();
const browser = await launch();
try {
  const { link } = await show.serve();
  const context = await browser.newContext({ viewport: { width: 1360, height: 850 }, colorScheme: "light" });
  const page = await context.newPage();
  page.on("console", (message) => message.type() === "error" && console.error(message.text()));
  page.on("pageerror", (error) => console.error(error));
  await page.goto(link);
  await page.waitForSelector("text=Needs you");
  const session = await page
    .locator(".card.running .workers a[href*='sessions']")
    .first()
    .getAttribute("href");
  for (const theme of ["light", "dark"]) {
    await page.evaluate((name) => localStorage.setItem("pawl-theme", name), theme);
    await page.reload();
    for (const [name, [address, sign]] of Object.entries(VIEWS)) {
      if (only !== undefined && only !== name) continue;
      await page.evaluate((hash) => (location.hash = hash), address ?? session);
      await page.waitForSelector(sign);
      await page.waitForTimeout(250);
      await page.screenshot({ path: join(folder, `${name}-${theme}.png`) });
    }
  }
  if (only === undefined) await more(page, session);
} finally {
  await browser.close();
  await show.close();
}

async function more(page, session) {
  await page.evaluate(() => (location.hash = "#/"));
  await page.locator("[data-rule='interrupted-session'] button.first").click();
  await page.waitForSelector(".what li");
  await page.screenshot({ path: join(folder, "action-dark.png") });
  await page.keyboard.press("Escape");
  await page.keyboard.press("/");
  await page.keyboard.type("checkout");
  await page.waitForTimeout(300);
  await page.screenshot({ path: join(folder, "palette-dark.png") });
  await page.keyboard.press("Escape");
  await page.keyboard.press("?");
  await page.waitForTimeout(100);
  await page.screenshot({ path: join(folder, "keys-dark.png") });
  await page.keyboard.press("Escape");
  if (!process.argv.includes("--narrow")) return;
  await page.setViewportSize({ width: 400, height: 800 });
  await page.evaluate(() => localStorage.setItem("pawl-theme", "light"));
  await page.reload();
  for (const [name, [address, sign]] of Object.entries(VIEWS)) {
    await page.evaluate((hash) => (location.hash = hash), address ?? session);
    await page.waitForSelector(name === "graph" ? ".node" : sign, { state: "attached" });
    await page.waitForTimeout(250);
    await page.screenshot({ path: join(folder, `${name}-narrow.png`) });
  }
}
