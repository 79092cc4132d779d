import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { parse } from "smol-toml";
import { describe, expect, it } from "vitest";
import { atTerminal } from "../support/terminal.ts";
import { pawl } from "../support/cli.ts";
import { AGENT, GOOD, type RunShop, runShop, untilWritten } from "../support/run-shop.ts";
import { paused, stoppedRunner } from "../support/stuck-shops.ts";
import { planText } from "../support/plans.ts";
import { ok, PLAN, workshop, type Workshop } from "../support/workshop.ts";

/** Programs of these names are on PATH, before whatever the machine has. */
function withPrograms(shop: Workshop, ...names: readonly string[]): { readonly PATH: string } {
  const bin = join(shop.home, "../bin");
  mkdirSync(bin, { recursive: true });
  for (const name of names) {
    writeFileSync(join(bin, name), "#!/bin/sh\necho 1.0.0\n");
    chmodSync(join(bin, name), 0o755);
  }
  return { PATH: [bin, process.env["PATH"] ?? ""].join(delimiter) };
}

const settingsOf = ({ home }: Workshop): unknown => parse(readFileSync(join(home, "pawl.toml"), "utf8"));

/** A Node project: `npm test` checks it, and `npm ci` prepares a checkout. */
function nodeProject(shop: Workshop): void {
  shop.repository.write("package.json", JSON.stringify({ scripts: { test: "vitest" } }));
  shop.repository.write("package-lock.json", "{}");
}

describe("pawl init", () => {
  it("asks at a terminal and writes the answers; Enter takes what it found", async () => {
    const shop = workshop(null);
    nodeProject(shop);
    const terminal = atTerminal({ cwd: shop.home, env: withPrograms(shop, "claude", "codex") }, "init");
    await terminal.sees("[claude]: ");
    terminal.press("codex\r");
    await terminal.sees("Check that every step must pass (from package.json) [npm test]: ");
    terminal.press("\r");
    await terminal.sees("Setup of a new worktree (from package-lock.json) [npm ci]: ");
    terminal.press("npm ci && npm run build\r");
    expect(await terminal.ended).toBe(0);
    expect(settingsOf(shop)).toEqual({
      agent: "codex",
      worktree_setup: ["sh", "-c", "npm ci && npm run build"],
      verify: { command: ["npm", "test"] },
    });
    expect(readFileSync(join(shop.home, "pawl.toml"), "utf8")).toMatch(/^#:schema https:/);
  });

  it("writes nothing when the person leaves with Ctrl-D", async () => {
    const shop = workshop(null);
    const terminal = atTerminal({ cwd: shop.home }, "init");
    await terminal.sees("]: ");
    terminal.press("\u0004");
    expect(await terminal.ended).toBe(6);
    expect(terminal.shown()).toContain("Nothing was written.");
    expect(shop.repository.git("status", "--porcelain")).toBe("");
  });

  it("takes what it found without a terminal and says so, and never overwrites a file", () => {
    const shop = workshop(null);
    nodeProject(shop);
    const env = withPrograms(shop, "claude");
    expect(ok(shop.jsonWith({ env }, "init"))).toMatchObject({
      asked: false,
      agent: "claude",
      check: ["npm", "test"],
      worktree_setup: ["npm", "ci"],
      settings_created: true,
    });
    const written = readFileSync(join(shop.home, "pawl.toml"), "utf8");
    expect(settingsOf(shop)).toMatchObject({ agent: "claude", verify: { command: ["npm", "test"] } });
    shop.repository.write("plan.md", "# Plan\n\n- [ ] one\n- [ ] two\n");
    const again = shop.text("init", "--yes").stdout;
    expect(again).toContain("pawl run plan.md");
    expect(again).toContain("Found pawl.toml; it stays as it is.");
    expect(again).not.toContain("Name an agent");
    expect(readFileSync(join(shop.home, "pawl.toml"), "utf8")).toBe(written);
  });
});

describe("pawl alone", () => {
  /** What it prints here, with one agent on PATH. */
  const home = (shop: Workshop): string => {
    const { code, stdout } = pawl({ cwd: shop.home, env: withPrograms(shop, "opencode") });
    expect(code).toBe(0);
    expect(stdout.trim().split("\n").length).toBeLessThanOrEqual(12);
    return stdout;
  };

  it("leads from no repository over settings and a plan to its run", () => {
    const shop = workshop(null);
    const outside = pawl({ cwd: join(shop.home, "..") });
    expect([outside.code, outside.stdout]).toEqual([
      0,
      expect.stringMatching(/no git repository[^]*Next +git init$/m),
    ]);
    expect(home(shop)).toMatch(
      /^Plans +none yet\nNeeds you +nothing\nAgents .*opencode \(.*contained.*\nNext +pawl init$/m,
    );
    shop.repository.write("pawl.toml", "");
    expect(home(shop)).toMatch(/^Next +pawl plan new plan --from "/m);
    shop.repository.write("pawl.toml", 'agent = "opencode"\n');
    shop.repository.write(PLAN, planText([{ number: "1" }]));
    expect(home(shop)).toMatch(/^Plans +plan.md: not started$[^]*^Next +pawl run plan.md$/m);
  });

  it("shows what waits for a person, at a terminal, and a finished plan", async () => {
    const shop = workshop(planText([{ number: "1" }, { number: "2" }]));
    shop.repository.write("pawl.toml", "");
    shop.finish(".", "step-1");
    ok(shop.json("state", "hold", PLAN, "step-2", "--reason", "Ada decides"));
    const terminal = atTerminal({ cwd: shop.home });
    expect(await terminal.ended).toBe(0);
    expect(terminal.shown()).toMatch(/^Plans +plan.md: 1\/2 steps, 1 blocked$/m);
    expect(terminal.shown()).toMatch(/^Needs you +step-2.*Ada decides/m);
    expect(terminal.shown()).toMatch(/^Next +pawl explain plan.md step-2$/m);
    ok(shop.json("state", "retry", PLAN, "step-2"));
    shop.finish(".", "step-2");
    expect(home(shop)).toMatch(/^Plans +plan.md: done$[^]*^Next +pawl plan new plan-2 /m);
  });

  /** What it prints, in one line. */
  const flatHome = (shop: RunShop): string => shop.pawl().stdout.replaceAll(/\s+/g, " ");

  it("says how to resume a run that was killed, and counts its step as interrupted, not as blocked", async () => {
    const shop = runShop();
    shop.script({ steps: { "step-1": [[{ write: "half.txt", text: "half" }, { hang: true }], GOOD] } });
    const { child, ended } = shop.start("run", "plan.md", ...AGENT);
    await untilWritten(join(shop.worktree(), "half.txt"));
    expect(flatHome(shop)).toMatch(/Running plan\.md Needs you nothing .* Next pawl status --watch/);
    child.kill("SIGKILL");
    await ended;
    const resume = /pawl resume s-\S+/.exec(shop.pawl("status").stdout)?.[0];
    const killed = flatHome(shop);
    expect(killed).toContain("Plans plan.md: 0/3 steps, 1 interrupted Needs you plan.md: s-");
    expect(killed).toContain("was interrupted by a kill or crash.");
    expect(killed).toContain(`Next ${resume} `);
    shop.pawl("recover", "--auto");
    const recorded = flatHome(shop);
    expect(recorded).toContain("Plans plan.md: 0/3 steps, 1 interrupted Needs you");
    expect(recorded).toContain(`Next ${resume} `);
    expect(shop.pawl("status").stdout).not.toContain("blocked");
    expect(shop.pawl("sessions", "abandon", resume!.split(" ")[2]!).code).toBe(0);
    shop.json("recover", "--auto");
    expect(flatHome(shop)).toContain(`Next pawl run plan.md ${AGENT.join(" ")} `);
  });

  it("says how to resume a run that waits for a usage limit", () => {
    const shop = paused();
    const resume = /pawl resume s-\S+/.exec(shop.pawl("status").stdout)?.[0];
    expect(flatHome(shop)).toMatch(/was interrupted by a usage limit; its limit resets/);
    expect(flatHome(shop)).toContain(`Next ${resume} `);
  });

  it.runIf(process.platform === "linux")("shows a stopped run with both ways out", async () => {
    const shop = await stoppedRunner();
    const shown = flatHome(shop);
    expect(shown).toContain(`stopped (pid ${shop.pid})`);
    expect(shown).toContain("pawl state release plan.md step-1 --force");
    expect(shown).toContain(`Next kill -CONT ${shop.pid} `);
    expect(shown).not.toContain("Running");
  });

  it("counts no optional step: the plan is done without it, and merging is next", async () => {
    const shop = runShop([{ number: "1" }]);
    shop.repo.write(".kiro/specs/shop/tasks.md", "- [ ] 1. Dig\n- [ ] 2. Build\n- [ ]* 3. Paint\n");
    shop.repo.git("rm", "-q", "plan.md");
    shop.repo.git("add", "-A");
    shop.repo.git("commit", "-q", "-m", "a spec");
    const plan = ".kiro/specs/shop/tasks.md";
    const run = shop.pawl("run", plan, ...AGENT);
    expect([run.code, run.stdout]).toEqual([0, expect.stringContaining(`next: pawl worktree merge ${plan}`)]);
    expect(shop.pawl("state", "show", plan).stdout).toContain("2/2 steps 100% · 1 optional");
    expect(shop.pawl("status").stdout).toContain("2/2 steps");
    expect(shop.pawl("status").stdout).not.toContain("on hold");
    const shown = flatHome(shop);
    expect(shown).toContain(`Plans ${plan}: done, not merged Needs you nothing`);
    expect(shown).toContain(`Next pawl worktree merge ${plan} `);
  });
});

describe("a plan that no one names", () => {
  it.each([
    ["TODO.md", "- [ ] Dig\n- [ ] Build\n"],
    ["PLAN.md", "# Shop\n\n## Phase 1: Dig\n\n- [ ] dig\n\n## Phase 2: Build\n\n- [ ] build\n"],
    ["IMPLEMENTATION_PLAN.md", "1. [ ] Dig\n2. [ ] Build\n"],
    ["docs/plans/shop.md", "# Shop\n\n### Task 1: Dig\n\n- [ ] dig\n\n### Task 2: Build\n\n- [ ] build\n"],
    [
      ".taskmaster/tasks/tasks.json",
      JSON.stringify({ master: { tasks: [{ id: 1, title: "Dig", status: "pending", dependencies: [] }] } }),
    ],
  ])("is found by `pawl` and by `pawl run`: %s", (name, text) => {
    const shop = workshop(null);
    shop.repository.write("pawl.toml", 'agent = "claude"\n');
    shop.repository.write(name, text);
    const { stdout } = pawl({ cwd: shop.home });
    expect(stdout).toContain(`${name}: not started`);
    expect(stdout).toContain(`pawl run ${name}\n`);
    expect(ok(shop.json("run", "--dry-run"))).toMatchObject({ plan_path: name });
  });

  it("is the one that has state, wherever it lies", () => {
    const shop = workshop(null);
    shop.repository.write("pawl.toml", 'agent = "claude"\n');
    shop.repository.write("work/list.md", "- [ ] Dig\n");
    expect(shop.json("run", "--dry-run").issues[0]?.code).toBe("E166");
    ok(shop.json("state", "init", "work/list.md"));
    expect(ok(shop.json("run", "--dry-run"))).toMatchObject({ plan_path: "work/list.md" });
    shop.repository.write("other.md", planText([{ number: "1" }]));
    expect(shop.json("run", "--dry-run").issues[0]?.message).toContain("There are 2 plans: ");
  });

  it("is named with its agent when --max-steps ends its run", async () => {
    const shop = runShop();
    const first = await shop.run("--max-steps", "1");
    expect(first.stdout).toContain("Stopped after 1 step (--max-steps 1).");
    expect(first.stdout).toContain(`next: pawl run plan.md ${AGENT.join(" ")}\n`);
    const rest = await shop.run("--max-steps", "2");
    expect(rest.stdout).toContain("Stopped after 2 steps (--max-steps 2).");
  });
});

describe("a plan that is done", () => {
  it("says so to a second run and to resume, and names the next command", async () => {
    const shop = runShop([{ number: "1", tasks: ["dig"] }]);
    expect((await shop.run()).code).toBe(0);
    const again = await shop.run();
    expect([again.code, again.stdout]).toEqual([
      0,
      expect.stringMatching(
        /^All steps are completed\. plan\.md is done[^]*^next: pawl worktree merge plan\.md$/m,
      ),
    ]);
    expect(again.stderr).toContain("plan.md is done: 1 of 1 step completed");
    expect(again.stderr).not.toMatch(/session s-/);
    const resumed = shop.pawl("resume");
    expect([resumed.code, resumed.stderr]).toEqual([6, expect.stringContaining("plan.md is done")]);
    expect(shop.pawl("report").stdout).toMatch(
      /: 1 step done, 0 blocked, 0 retries, .*\n\nplan\.md  1\/1 step;/,
    );
    expect(shop.json("report").data).toMatchObject({
      steps_done: 1,
      plans: [{ done: [{ anchor: "step-1" }] }],
    });
    expect(shop.pawl("report", "--since", "7d", "--markdown").stdout).toMatch(
      /^# Pawl report$[^]*^- \[x\] \*\*step-1\*\*/m,
    );
  });
});
