import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { MOST_CUT_OFF } from "../../src/verification/evidence.ts";
import { AGENT, GOOD, type RunShop, runShop, THREE, untilThere } from "../support/run-shop.ts";

/** Kills are no failures: they count by themselves, and what was seen before them is used. */

const ONE = [THREE[0]!];
const DONE = ["step-1 completed"];

const attempts = (shop: RunShop) =>
  shop.query("select verification_attempts as judged, block_reason as reason from steps");

/** A check that says where it is, and waits there as long as a file tells it to. */
const WAITING = `[verify]\ncommand = ["sh", "-c", "echo $$ > ../../../../check.pid; echo x >> ../../../../checks; while [ -e ../../../../wait ]; do sleep 0.05; done"]\n`;
const checks = (shop: RunShop) => readFileSync(shop.path("checks"), "utf8").trim().split("\n").length;

async function untilChecked(shop: RunShop): Promise<number> {
  await untilThere(shop.path("check.pid"));
  return Number(readFileSync(shop.path("check.pid"), "utf8"));
}

describe("a kill of the runner during verification", () => {
  it("costs no attempt, also after two that really failed", async () => {
    const shop = runShop(ONE, WAITING);
    writeFileSync(shop.path("wait"), "");
    shop.script({ steps: { "step-1": [[{ exit: 3 }], [{ exit: 3 }], GOOD] } });
    const { child, ended } = shop.start("run", "plan.md", ...AGENT);
    await untilChecked(shop);
    child.kill("SIGKILL");
    await ended;
    expect(attempts(shop)).toEqual([{ judged: 2, reason: null }]);
    rmSync(shop.path("wait"));
    const { code, stderr } = shop.pawl("resume");
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(shop.starts("step-1")).toBe(3);
    expect(attempts(shop)).toEqual([{ judged: 3, reason: null }]);
    expect(shop.steps()).toEqual(DONE);
  });

  it("after a check has passed leaves a result that is used: the tree is not checked again", async () => {
    // The first check passes, the second one kills the runner: two checkpoints, and only one of them has an end.
    const shop = runShop(
      [{ ...THREE[0]!, checkpoints: ["`sh ../../../../one`", "`sh ../../../../two`"] }],
      `[verify]\nrun_checkpoints = true\n`,
    );
    writeFileSync(shop.path("one"), `echo x >> ${shop.path("checks")}\n`);
    writeFileSync(shop.path("two"), `if mkdir ${shop.path("first")} 2>/dev/null; then kill -9 $PPID; fi\n`);
    expect(await shop.run()).toMatchObject({ code: null, signal: "SIGKILL" });
    const { code, stderr } = shop.pawl("resume");
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(checks(shop)).toBe(1);
    expect(attempts(shop)).toEqual([{ judged: 1, reason: null }]);
    expect(shop.steps()).toEqual(DONE);
  });

  it("and a changed file in between means that everything is checked", async () => {
    const shop = runShop(ONE, WAITING);
    writeFileSync(shop.path("wait"), "");
    const { child, ended } = shop.start("run", "plan.md", ...AGENT);
    await untilChecked(shop);
    child.kill("SIGKILL");
    await ended;
    rmSync(shop.path("wait"));
    writeFileSync(`${shop.worktree()}/more.txt`, "x");
    expect(shop.pawl("resume")).toMatchObject({ code: 0 });
    expect(checks(shop)).toBe(2);
    expect(existsSync(`${shop.worktree()}/more.txt`)).toBe(true);
  });
});

describe("what something outside kills while the runner lives", () => {
  it("is run again when it is a check, and the step has not failed", async () => {
    const shop = runShop(ONE, WAITING);
    writeFileSync(shop.path("wait"), "");
    const { ended } = shop.start("run", "plan.md", ...AGENT);
    const pid = await untilChecked(shop);
    rmSync(shop.path("wait"));
    process.kill(pid, "SIGKILL");
    const { code, stderr } = await ended;
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(attempts(shop)).toEqual([{ judged: 1, reason: null }]);
    expect(shop.starts("step-1")).toBe(1);
    expect(shop.steps()).toEqual(DONE);
  });

  it("is run again when it is an agent, and the step has not failed", async () => {
    const shop = runShop(ONE);
    shop.script({ steps: { "step-1": [[{ die: "SIGKILL" }], [{ die: "SIGTERM" }], GOOD] } });
    const { code, stderr } = await shop.run();
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(shop.starts("step-1")).toBe(3);
    expect(attempts(shop)).toEqual([{ judged: 1, reason: null }]);
  });

  it("is left to a person in the end, in words of its own", async () => {
    const shop = runShop(ONE);
    shop.script({ steps: { "step-1": [[{ die: "SIGKILL" }]] } });
    const { code, stdout } = await shop.run();
    expect(code).toBe(5);
    expect(shop.starts("step-1")).toBe(MOST_CUT_OFF);
    expect(attempts(shop)).toEqual([{ judged: 0, reason: "cut_off" }]);
    expect(stdout).toContain(`cut off ${MOST_CUT_OFF} times`);
    expect(stdout).not.toContain("attempts failed");
  });

  it("is a failure when it fell over by itself", async () => {
    const shop = runShop(ONE);
    shop.script({ steps: { "step-1": [[{ die: "SIGABRT" }], GOOD] } });
    expect((await shop.run()).code).toBe(0);
    expect(attempts(shop)).toEqual([{ judged: 2, reason: null }]);
  });
});
