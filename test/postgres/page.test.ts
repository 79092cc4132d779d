import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { browserForTests } from "../support/browser.ts";
import { PAWL, pawlAsync, pawlJson } from "../support/cli.ts";
import { planText } from "../support/plans.ts";
import { cleanEnv } from "../support/repository.ts";
import { enter, listening, oneMoreLink, openWindow } from "../support/ui-shop.ts";
import { type Clone, clones, PLAN } from "./clones.ts";
import { sharedServer } from "./shared-server.ts";

/** The page of one machine, while another machine works: all they share is the server. */

const shared = sharedServer();
let browser: Browser;
beforeAll(async () => {
  browser = await browserForTests();
});
afterAll(() => browser.close());

const THREE = planText([
  { number: "1", tasks: ["dig"] },
  { number: "2", tasks: ["build"], dependsOn: ["step-1"] },
  { number: "3", tasks: ["paint"], dependsOn: ["step-2"] },
]);

async function serve({ path, env }: Clone) {
  const child = spawn(process.execPath, [PAWL, "ui", "--no-open", "--json"], {
    cwd: path,
    env: cleanEnv(env),
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(async () => {
    child.kill("SIGTERM");
    if (child.exitCode === null) await new Promise((ended) => child.once("exit", ended));
  });
  child.stdout.setEncoding("utf8");
  return listening(child);
}

test("shows what another machine does as it happens, and acts on it", async () => {
  const all = clones(shared.url, THREE);
  onTestFinished(all.remove);
  const [here, there] = [all.clone("host-a"), all.clone("host-b")];
  const gate = join(there.path, "..", "go");
  const agent = join(there.path, "..", "agent.sh");
  writeFileSync(
    agent,
    `#!/bin/sh\nmkdir -p work && date > "work/$PAWL_STEP.txt"\nwhile [ ! -e "${gate}" ]; do sleep 0.05; done\npawl state update "$PAWL_PLAN" "$PAWL_STEP" --all completed\n`,
    { mode: 0o755 },
  );
  expect(pawlJson({ cwd: there.path, env: there.env }, "state", "init", PLAN).status).toBe("ok");
  const server = await serve(here);
  const { page, go, complaints } = await openWindow(browser, server.link);
  await go("plan", PLAN, "board");
  await page.waitForSelector(".column.ready [data-anchor='step-1']");
  const ended = pawlAsync({ cwd: there.path, env: there.env }, "run", PLAN, "--", agent);
  await page.waitForSelector(".column.working [data-anchor='step-1']");
  // What is decided here holds there: the run goes round the step that was put on hold.
  await go("plan", PLAN, "step", "step-3");
  await page.getByRole("button", { name: /^Put on hold/ }).click();
  await page.waitForSelector(".what li:has-text('from pending to on hold')");
  await page.locator(".deciders button").last().click();
  await page.waitForSelector(".badge:has-text('on hold')");
  writeFileSync(gate, "");
  await go("plan", PLAN, "board");
  await page.waitForSelector(".column.done [data-anchor='step-2']");
  expect((await ended).code).toBe(5);
  await page.waitForSelector(".column.stopped [data-anchor='step-3']");
  for (const [place, sign] of [
    [["journal"], ".event-line:has-text('completed')"],
    [["sessions"], ".session-table li:has(.badge)"],
    [["timeline"], ".lifeline .span"],
    [["plan", PLAN, "step", "step-1"], ".item-row, .items .completed"],
    [["doctor"], ".checks li"],
  ] as const) {
    await go(...place);
    await page.waitForSelector(sign);
  }
  const { get, post } = await enter({ ...server, link: await oneMoreLink(page) });
  const stale = { action: "retry", plan: PLAN, step: "step-3", version: "on_hold:99", request_id: "one" };
  expect((await post("/api/act", stale)).status).toBe(409);
  expect((await get("/api/overview")).body.data.plans[0]).toMatchObject({ steps_completed: 2 });
  expect(complaints).toEqual([]);
});
