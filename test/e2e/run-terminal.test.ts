import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { AGENT, GOOD, runShop } from "../support/run-shop.ts";
import { atTerminal } from "../support/terminal.ts";
import { until } from "../support/until.ts";

/** What people see of a run at a terminal of the usual sizes. */

const HANG = [{ write: "work/{step}.txt" }, { hang: true }];
const APART = ["1", "2", "3"].map((number) => ({ number, tasks: ["dig"] }));
const SIZES = [
  { columns: 80, rows: 24 },
  { columns: 140, rows: 40 },
] as const;

describe.each(SIZES)("at $columns × $rows", (size) => {
  it("heads a failed attempt, shows what the check printed, and counts above the workers", async () => {
    const settings = '[verify]\ncommand = ["sh", "-c", "echo one test failed; exit 7"]\n';
    const shop = runShop([{ number: "1", tasks: ["dig"] }], settings);
    const terminal = atTerminal({ cwd: shop.repo.path, env: shop.env, ...size }, "run", "plan.md", ...AGENT);
    expect(await terminal.ended).toBe(5);
    const shown = terminal.shown();
    expect(shown).toMatch(/plan\.md \[-{20}\] 0\/1 · .*\d s/);
    expect(shown).toMatch(/step-1: sh -c .*failed\s+\(exit 7\),\s+attempt 2\s+of\s+3;\s+log/);
    expect(shown).toContain("step-1: | one test failed");
    expect(shown.slice(shown.indexOf("No step can be claimed now."))).toContain("| one test failed");
  });

  it("heads each attempt of an agent that exits with 1, with its log and what it said", async () => {
    const shop = runShop([{ number: "1", tasks: ["dig"] }]);
    const fails = [{ say: "The registry cannot be reached." }, { exit: 1 }];
    shop.script({ steps: { "step-1": [fails, fails, GOOD] } });
    const terminal = atTerminal({ cwd: shop.repo.path, env: shop.env, ...size }, "run", "plan.md", ...AGENT);
    expect(await terminal.ended).toBe(0);
    // Where a line is too long for the terminal, it continues in the next one.
    const shown = terminal.shown().replaceAll(/\s+/g, " ");
    for (const attempt of [1, 2])
      expect(shown).toMatch(
        new RegExp(
          `step-1: implement failed \\(exit 1\\), attempt ${attempt} of 3; log \\S+-implement\\.log \\[1\\] step-1: \\| The registry cannot be reached\\.`,
        ),
      );
    expect(shown).not.toContain("attempt 3 of 3");
  });

  it("stops the run by a key as Ctrl-C does, and names the logs by another", async () => {
    const shop = runShop(APART);
    shop.script({ runs: [HANG] });
    const terminal = atTerminal(
      { cwd: shop.repo.path, env: shop.env, ...size },
      "run",
      "plan.md",
      "--workers",
      "2",
      ...AGENT,
    );
    await terminal.sees("s stop · l logs · p page");
    await anyWorker(shop, "step-1");
    await terminal.sees("implement");
    terminal.press("l");
    await terminal.sees("-implement.log");
    terminal.press("s");
    expect(await terminal.ended).toBe(130);
    expect(terminal.shown()).toMatch(/SIGINT: stopping[^]*pawl resume s-/);
  });
});

it("is one row with one resume command in every list, after a kill of three workers", async () => {
  const shop = runShop(APART);
  shop.script({ runs: [HANG, HANG, HANG, GOOD] });
  const { child, ended } = shop.start("run", "plan.md", "--workers", "3", ...AGENT);
  for (const step of ["step-1", "step-2", "step-3"]) await anyWorker(shop, step);
  child.kill("SIGKILL");
  await ended;
  const resumes = (text: string) => text.match(/pawl resume|interrupted-session:\S+=R/g) ?? [];
  expect(resumes(shop.pawl("recover", "--auto").stdout)).toHaveLength(1);
  const list = shop.pawl("sessions", "list").stdout;
  expect([resumes(list).length, list.match(/3 workers/g)?.length]).toEqual([1, 1]);
  const status = shop.pawl("status").stdout;
  expect([resumes(status).length, status.match(/^decide/gm)?.length]).toEqual([1, 1]);
  expect(status).toMatch(/Run r-\w+ of plan\.md with 3 workers/);
});

/** Whichever worker got the step. */
const anyWorker = (shop: ReturnType<typeof runShop>, step: string): Promise<void> =>
  until(() => [1, 2, 3].some((number) => existsSync(join(shop.worktree(number), "work", `${step}.txt`))));
