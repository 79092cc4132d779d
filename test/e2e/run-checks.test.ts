import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { AGENT, GOOD, type RunShop, runShop, THREE, untilWritten } from "../support/run-shop.ts";
import { until } from "../support/until.ts";

/** What a verdict is made from, and the workflows and words around it. */

const ONE = [THREE[0]!];
const PROGRAM = JSON.stringify(AGENT.slice(1));
const evidence = (shop: RunShop) =>
  shop
    .query("select evidence from verdicts order by attempt")
    .map((row) =>
      (JSON.parse(String(row["evidence"])) as { checked: string; outcome: string }[]).map(
        ({ checked, outcome }) => `${checked}: ${outcome}`,
      ),
    );
const promptOf = (shop: RunShop, step: string, run: number) =>
  (JSON.parse(readFileSync(shop.path(`script.json.${step}.${run}.json`), "utf8")) as { prompt: string })
    .prompt;

describe("checkpoints of a plan that are commands", () => {
  const steps = [
    {
      number: "1",
      tasks: ["dig"],
      checkpoints: ["`test -e work/step-1.txt` passes", "`rm -rf / ; true` is no plain command"],
    },
  ];

  it("are run where that is configured, without a shell", async () => {
    const shop = runShop(steps, "[verify]\nrun_checkpoints = true\n");
    expect((await shop.run()).code).toBe(0);
    expect(evidence(shop)).toEqual([["checklist: passed", "test -e work/step-1.txt: passed"]]);
  });

  it("fail the step when they fail", async () => {
    const shop = runShop(
      [{ number: "1", tasks: ["dig"], checkpoints: ["`test -e nowhere` passes"] }],
      "[verify]\nrun_checkpoints = true\n",
    );
    expect((await shop.run()).code).toBe(5);
    expect(evidence(shop).at(-1)).toEqual(["checklist: passed", "test -e nowhere: failed"]);
  });

  it("are words and nothing more otherwise", async () => {
    const shop = runShop(steps);
    expect((await shop.run()).code).toBe(0);
    expect(evidence(shop)).toEqual([["checklist: passed"]]);
  });
});

describe("a step's own verification", () => {
  const plan = (command: string) =>
    JSON.stringify({
      feature: "F",
      phases: [
        {
          id: "phase-1",
          name: "P",
          subtasks: [
            { id: "one", description: "One", status: "pending", verification: { type: "command", command } },
          ],
        },
      ],
    });
  const shopWith = (command: string, settings?: string) => {
    const shop = runShop(ONE, settings);
    shop.repo.write("implementation_plan.json", plan(command));
    shop.repo.git("rm", "-q", "plan.md");
    shop.repo.git("add", "-A");
    shop.repo.git("commit", "-q", "-m", "another plan");
    return shop;
  };

  it("decides, where commands out of plans may be run", async () => {
    const shop = shopWith("test -e work/one.txt", "[verify]\nrun_checkpoints = true\n");
    const { code, stderr } = await shop.start("run", "implementation_plan.json", ...AGENT).ended;
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(evidence(shop)).toEqual([["checklist: passed", "test -e work/one.txt: passed"]]);
  });

  it("is only passed to the agent otherwise", async () => {
    const shop = shopWith("test -e nowhere");
    const { code } = await shop.start("run", "implementation_plan.json", ...AGENT).ended;
    expect(code).toBe(0);
    expect(evidence(shop)).toEqual([["checklist: passed"]]);
    expect(promptOf(shop, "one", 1)).toContain("test -e nowhere");
  });
});

describe("an agent that judges", () => {
  const settings = `[verify]\nagent = "judge"\n[agents.judge]\npreset = "command"\nprogram = ["sh", "-c", "cat > ../../../../judged.$$; echo 'The tests pass.'; cat ../../../../verdict"]\n`;

  it("passes a step, after everything else has", async () => {
    const shop = runShop(ONE, settings);
    writeFileSync(shop.path("verdict"), "VERDICT: PASS\n");
    expect((await shop.run()).code).toBe(0);
    expect(evidence(shop)).toEqual([["checklist: passed", "agent judge: passed"]]);
    expect(shop.query("select command, type, position from checkpoints order by number").at(-1)).toEqual({
      command: "verify-agent",
      type: "verify",
      position: -1,
    });
  });

  it("fails it, and its words go back to the agent that works", async () => {
    const shop = runShop(ONE, settings);
    writeFileSync(shop.path("verdict"), "VERDICT: FAIL the hole is too shallow\n");
    expect((await shop.run()).code).toBe(5);
    expect(evidence(shop)).toHaveLength(3);
    expect(promptOf(shop, "step-1", 2)).toContain("the hole is too shallow");
  });

  it("that says neither has not passed it", async () => {
    const shop = runShop(ONE, settings);
    writeFileSync(shop.path("verdict"), "Looks good to me.\n");
    expect((await shop.run()).code).toBe(5);
  });
});

describe("an agent that judges each step by itself", () => {
  it("is asked about a step that has the files of the one before it", async () => {
    const judge = `grep -q 'Work 2' && echo 'VERDICT: FAIL nothing was built' || echo 'VERDICT: PASS'`;
    const shop = runShop(
      [
        { number: "1", tasks: ["dig"] },
        { number: "2", tasks: ["build"], dependsOn: ["step-1"] },
      ],
      `[verify]\nagent = "judge"\n[agents.judge]\npreset = "command"\nprogram = ["sh", "-c", ${JSON.stringify(judge)}]\n`,
    );
    // It says that it is done, and has done nothing.
    shop.script({ steps: { "step-2": [[{ tick: "all" }]] } });
    expect((await shop.run()).code).toBe(5);
    expect(shop.steps()).toEqual(["step-1 completed", "step-2 blocked"]);
  });
});

describe("the review workflow", () => {
  it("asks for a strategy, does the work and looks at it again; a kill in between repeats one command", async () => {
    const shop = runShop(ONE, `workflow = "review"\n`);
    shop.script({
      steps: {
        "step-1": [
          [{ write: "strategy.md" }],
          [{ write: "half.txt" }, { hang: true }],
          GOOD,
          [{ append: "reviewed.txt" }],
        ],
      },
    });
    const { child, ended } = shop.start("run", "plan.md", ...AGENT);
    await untilWritten(join(shop.worktree(), "half.txt"));
    child.kill("SIGKILL");
    await ended;
    expect(shop.pawl("resume").code).toBe(0);
    expect(shop.query("select command, outcome from checkpoints order by number")).toEqual([
      { command: "architect", outcome: "finished" },
      { command: "implement", outcome: null },
      { command: "implement", outcome: "finished" },
      { command: "review", outcome: "finished" },
    ]);
    expect(shop.repo.git("ls-tree", "-r", "--name-only", "pawl/plan").split("\n")).toEqual(
      expect.arrayContaining(["strategy.md", "half.txt", "reviewed.txt", "work/step-1.txt"]),
    );
    expect(promptOf(shop, "step-1", 3)).toContain("was interrupted");
  });
});

describe("around a run", () => {
  it("a dry run says what would be done, and leaves nothing behind", () => {
    const shop = runShop(
      THREE,
      `agent = "mine"\n[agents.mine]\npreset = "claude"\nprogram = ${PROGRAM}\n[verify]\ncommand = ["npm", "test"]\n`,
    );
    const { code, stdout } = shop.pawl("run", "--dry-run", "--workers", "2");
    expect(code).toBe(0);
    for (const word of [
      "3 steps to do",
      "step-2",
      "after step-1",
      "--output-format stream-json",
      "npm test",
      "pawl/plan",
    ])
      expect(stdout).toContain(word);
    expect(shop.repo.git("status", "--porcelain", "--ignored")).toBe("");
    expect(shop.repo.git("for-each-ref", "refs/heads", "refs/pawl", "--format=%(refname)")).toBe(
      "refs/heads/main",
    );
    expect(shop.json("run", "--dry-run").data).toMatchObject({
      plan_path: "plan.md",
      workers: 1,
      steps: [{}, {}, {}],
    });
    expect(() => shop.query("select 1")).toThrow();
  });

  it("an agent finds this very pawl on its PATH, and nothing secret in its environment", async () => {
    const shop = runShop(ONE);
    writeFileSync(
      shop.path("agent.sh"),
      `#!/bin/sh\ncommand -v pawl > ../../../../which\nenv > ../../../../env\nmkdir -p work && date > work/x\npawl state update "$PAWL_PLAN" "$PAWL_STEP" --all completed\n`,
      { mode: 0o755 },
    );
    const { code, stderr } = await shop.start("run", "plan.md", "--", shop.path("agent.sh")).ended;
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(readFileSync(shop.path("which"), "utf8")).toMatch(/\.git\/pawl-bin\/[0-9a-f]+\/pawl\n$/);
    const names = readFileSync(shop.path("env"), "utf8")
      .match(/^PAWL_\w+/gm)!
      .toSorted();
    expect(names).toEqual([
      "PAWL_CLAIM",
      "PAWL_PLAN",
      "PAWL_PORT_BASE",
      "PAWL_SESSION",
      "PAWL_STEP",
      "PAWL_WORKTREE",
    ]);
  });

  it.each([
    ["all_completed", 0, GOOD],
    ["stuck", 5, [{ fail: "no" }]],
  ] as const)("the notify command receives that it ended: %s", async (ended, code, acts) => {
    const shop = runShop(ONE, `notify = ["sh", "-c", "cat > ../notified.json"]\n`);
    shop.script({ runs: [acts] });
    expect((await shop.run()).code).toBe(code);
    expect(JSON.parse(readFileSync(shop.path("notified.json"), "utf8"))).toMatchObject({
      plan_path: "plan.md",
      ended,
    });
  });

  it("a notification that fails is a warning and not the run's failure", async () => {
    const shop = runShop(ONE, `notify = ["no-such-program"]\n`);
    const { code, stdout } = await shop.run();
    expect(code).toBe(0);
    expect(stdout.replaceAll(/\s+/g, " ")).toContain("no-such-program was not found");
  });

  it("logs are shown in words, or as they were printed", async () => {
    const shop = runShop(ONE, `agent = "mine"\n[agents.mine]\npreset = "claude"\nprogram = ${PROGRAM}\n`);
    writeFileSync(
      shop.path("script.json"),
      JSON.stringify({
        speak: "claude",
        runs: [[{ say: "Digging." }, { write: "a.txt" }, { escapes: true }, { tick: "all" }]],
      }),
    );
    expect((await shop.start("run").ended).code).toBe(0);
    const shown = shop.pawl("sessions", "logs", "s-");
    expect(shown.stdout).toContain("Digging.\nWrite: a.txt\n");
    expect(shown.stdout).not.toContain("\u001b");
    expect(shop.pawl("sessions", "logs", "s-", "--raw").stdout).toContain('{"type":"system"');
    expect(shop.json("sessions", "logs", "s-").data).toMatchObject({
      command: 1,
      lines: expect.arrayContaining(["Digging."]),
    });
    expect(shop.pawl("sessions", "logs", "s-", "--follow").stdout).toContain("Digging.");
    expect(shop.pawl("sessions", "logs", "s-", "--command", "9").code).toBe(2);
  });

  it("an agent that floods its output fills no disk, and both ends of it are kept", async () => {
    const shop = runShop(ONE);
    shop.script({
      runs: [
        [{ say: "the beginning" }, { flood: 30_000_000 }, { binary: 100_000 }, { say: "the end" }, ...GOOD],
      ],
    });
    expect((await shop.run()).code).toBe(0);
    const { lines, path } = shop.json("sessions", "logs", "s-").data as { lines: string[]; path: string };
    const bytes = ["", ".head", ".prev"].reduce(
      (sum, part) => sum + readFileSync(`${path}${part}`).length,
      0,
    );
    expect(bytes).toBeLessThanOrEqual(24 * 1024 * 1024);
    expect(lines[0]).toBe("the beginning");
    expect(lines.slice(-4).join("\n")).toContain("Write work/step-1.txt");
  });

  it("sessions that were never resumed are abandoned, with their work kept", async () => {
    const shop = runShop();
    shop.script({ steps: { "step-1": [[{ write: "half.txt" }, { hang: true }], GOOD] } });
    const { child, ended } = shop.start("run", "plan.md", ...AGENT);
    await untilWritten(join(shop.worktree(), "half.txt"));
    child.kill("SIGKILL");
    await ended;
    expect(shop.json("sessions", "clean").data).toMatchObject({ abandoned: [], kept: [{}] });
    expect(shop.json("sessions", "clean", "--older-than", "0m", "--dry-run").data.abandoned).toHaveLength(1);
    expect(shop.json("sessions", "list").data.sessions).toMatchObject([{ status: "interrupted" }]);
    expect(shop.json("sessions", "clean", "--older-than", "0m").data.abandoned).toHaveLength(1);
    expect(shop.query("select status from sessions")).toEqual([{ status: "abandoned" }]);
    const to = shop.path("back");
    expect(shop.pawl("sessions", "restore", "s-", "--to", to).code).toBe(0);
    expect(readFileSync(join(to, "half.txt"), "utf8")).not.toBe("");
    // The step is free for the next run, and what was left in the worktree does not get into it unseen.
    expect((await shop.run()).code).toBe(0);
    expect(shop.steps()).toEqual(["step-1 completed", "step-2 completed", "step-3 completed"]);
  });

  it("status says what happens, once or again and again", async () => {
    const shop = runShop();
    shop.script({ steps: { "step-1": [[{ write: "half.txt" }, { hang: true }], GOOD] } });
    const run = shop.start("run", "plan.md", ...AGENT);
    await untilWritten(join(shop.worktree(), "half.txt"));
    const watching = shop.start("status", "--watch");
    expect(shop.pawl("status").stdout).toMatch(
      /plan\.md {2}\[-{20}\] 0\/3 · 1 working · \d+ s\n.*running.*step-1, implement/,
    );
    run.child.kill("SIGTERM");
    await run.ended;
    let seen = "";
    watching.child.stdout!.on("data", (text: string) => (seen += text));
    await until(() => seen.includes("⚠ interrupted"));
    watching.child.kill("SIGINT");
    const { stdout, code } = await watching.ended;
    expect(code).toBe(130);
    expect(stdout).toMatch(/running[\s\S]*⚠ interrupted/);
  });
});
