import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { planText } from "../support/plans.ts";
import { AGENT, runShop, untilThere } from "../support/run-shop.ts";
import { atTerminal } from "../support/terminal.ts";

/** What people read at a terminal of the usual sizes, beside a run. */

const ONE = [{ number: "1", title: "Dig the hole", tasks: ["dig"] }];
const SIZES = [
  { columns: 80, rows: 24 },
  { columns: 140, rows: 40 },
] as const;

it("doctor misses no agent on PATH where pawl.toml names its program", async () => {
  const settings = 'agent = "mine"\n[agents.mine]\npreset = "command"\nprogram = ["./scripts/mine"]\n';
  const shop = runShop(ONE, settings);
  const mine = join(shop.repo.path, "scripts/mine");
  mkdirSync(dirname(mine));
  writeFileSync(mine, "#!/bin/sh\n");
  chmodSync(mine, 0o755);
  // Git and Node, and no agent.
  const env = { ...shop.env, PATH: `${dirname(process.execPath)}:/usr/bin:/bin` };
  const terminal = atTerminal({ cwd: shop.repo.path, env }, "doctor");
  expect(await terminal.ended).toBe(0);
  expect(terminal.shown()).toMatch(/^pass +agents +Installed: .*mine \(\.\/scripts\/mine\)/m);
  expect(terminal.shown()).not.toMatch(/No agent is installed|is not on PATH/);
});

it("--dry-run prints the command line of an agent as a person would type it", async () => {
  const shop = runShop(ONE);
  const terminal = atTerminal(
    { cwd: shop.repo.path, env: shop.env },
    "run",
    "plan.md",
    "--agent",
    "claude",
    "--dry-run",
  );
  expect(await terminal.ended).toBe(0);
  expect(terminal.shown()).toContain("claude -p --output-format stream-json");
  expect(terminal.shown()).not.toContain("./-");
});

it.each([
  ["plan.md", /^PATH +BRANCH +PLAN .*\n\. .*\n\.pawl\/worktrees\/plan-w1 .*$/],
  [
    "the-plan-with-the-long-name-that-people-give-their-plans.md",
    /^\.\n {4}\S.*\n {4}\S.*\n\.pawl\/.*\n {4}\S/,
  ],
])("worktree list breaks no row at 80 columns, with a plan called %s", async (plan, wanted) => {
  const shop = runShop();
  shop.repo.write(plan, planText(ONE));
  shop.repo.git("add", plan);
  shop.repo.git("commit", "-qm", "the plan", "--allow-empty");
  const at = { cwd: shop.repo.path, env: shop.env, columns: 80 };
  expect(await atTerminal(at, "run", plan, ...AGENT).ended).toBe(0);
  const list = atTerminal(at, "worktree", "list");
  expect(await list.ended).toBe(0);
  const shown = list.shown().trimEnd();
  expect(shown).toMatch(wanted);
  expect(shown.split("\n").filter((line) => line.length > 80)).toEqual([]);
});

const LONG = `step-${"x".repeat(24)}-in-the-middle-${"y".repeat(12)}-last`;

describe.each(SIZES)("at $columns × $rows", (size) => {
  it("shortens a long anchor in the middle, and leaves the line to what is said of it", async () => {
    const shop = runShop();
    const plan = planText([{ ...ONE[0]!, title: "Dig the hole that everything else stands in" }]);
    shop.repo.write("plan.md", plan.replace("{#step-1}", `{#${LONG}}`));
    shop.repo.git("commit", "-qam", "a long name");
    const at = { cwd: shop.repo.path, env: shop.env, ...size };
    const run = atTerminal(at, "run", "plan.md", ...AGENT);
    expect(await run.ended).toBe(0);
    const summary = run
      .shown()
      .split("\n")
      .filter((line) => /^ {2}done /.test(line));
    expect(summary).toEqual([expect.stringMatching(/^ {2}done +step-x+….+-last +Dig the hole that /)]);
    const show = atTerminal(at, "state", "show", "plan.md");
    expect(await show.ended).toBe(0);
    const lines = show.shown().split("\n");
    expect(lines.filter((line) => line.length > size.columns)).toEqual([]);
    // The name is whole, to be copied, and so is the title: beside it, or below.
    expect(lines.join(" ").replaceAll(/\s+/g, " ")).toContain(
      `[x] ${LONG} Dig the hole that everything else stands in `,
    );
  });

  it("status --watch has the totals, each worker with its last line, the logs by a key, and ends by another", async () => {
    const shop = runShop(["1", "2"].map((number) => ({ number, tasks: ["dig"] })));
    const begun = [{ write: "../{step}.begun" }, { say: "The spade of {step} is blunt." }, { hang: true }];
    shop.script({ runs: [begun] });
    const { child, ended } = shop.start("run", "plan.md", "--workers", "2", ...AGENT);
    for (const step of ["step-1", "step-2"])
      await untilThere(join(dirname(shop.worktree()), `${step}.begun`));
    const watch = atTerminal({ cwd: shop.repo.path, env: shop.env, ...size }, "status", "--watch");
    await watch.sees("q quit · l logs · p page");
    await watch.sees("The spade of step-1 is blunt.");
    await watch.sees("The spade of step-2 is blunt.");
    expect(watch.shown()).toMatch(/plan\.md +\[-{20}\] 0\/2 · 2 working · \d+ s/);
    expect(watch.shown()).toMatch(/plan-w\d +step-1, implement +\d:\d\d +The spade of step-1/);
    expect(watch.shown()).not.toContain("-implement.log");
    watch.press("l");
    await watch.sees("/0001-implement.log");
    watch.press("q");
    expect(await watch.ended).toBe(0);
    child.kill("SIGTERM");
    await ended;
  });
});
