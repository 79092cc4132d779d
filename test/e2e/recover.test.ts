import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { MOST_CUT_OFF } from "../../src/verification/evidence.ts";
import { pawl } from "../support/cli.ts";
import { AGENT, GOOD, type RunShop, runShop, THREE, untilWritten } from "../support/run-shop.ts";
import { lives } from "../support/supervised.ts";
import { until } from "../support/until.ts";
import { atTerminal } from "../support/terminal.ts";

interface View {
  readonly rule: string;
  readonly subject: string;
}

const rules = (views: readonly View[]) => views.map(({ rule }) => rule);
const HANG = [{ write: "half.txt" }, { hang: true }];

/** Kills a run with SIGKILL while its agent works on the first step. */
async function killed(shop: RunShop): Promise<void> {
  shop.script({ steps: { "step-1": [HANG, GOOD] } });
  const { child, ended } = shop.start("run", "plan.md", ...AGENT);
  await untilWritten(join(shop.worktree(), "half.txt"));
  child.kill("SIGKILL");
  await ended;
}

describe("a session that was killed", () => {
  it("is marked as interrupted by itself, and asked about: [R] resumes it to its end", async () => {
    const shop = runShop();
    await killed(shop);
    const dry = shop.json("recover", "--dry-run");
    expect(dry.data.findings).toMatchObject([
      { rule: "interrupted-session", automatic: { repair: "mark-interrupted" } },
    ]);
    expect(shop.query("select status from sessions")).toEqual([{ status: "in_progress" }]);
    const terminal = atTerminal({ cwd: shop.repo.path, env: shop.env }, "recover");
    await terminal.sees("[R] Resume");
    await terminal.sees("[R]/[A]/[S]");
    terminal.press("r");
    expect(await terminal.ended).toBe(0);
    expect(shop.steps()).toEqual(["step-1 completed", "step-2 completed", "step-3 completed"]);
    expect(shop.json("recover").data.findings).toEqual([]);
  });

  it("is reported calmly in 80 columns: each repair once, no codes, no whole ids, no clock of the store", async () => {
    const shop = runShop();
    await killed(shop);
    const [row] = shop.query("select id from sessions");
    const terminal = atTerminal({ cwd: shop.repo.path, env: shop.env, columns: 80 }, "recover");
    await terminal.sees("[R]/[A]/[S]");
    terminal.press("s");
    await terminal.ended;
    const shown = terminal.shown();
    const id = String(row!["id"]);
    expect(shown.split(`${id.slice(0, 10)}: recorded; what it left running is stopped`)).toHaveLength(2);
    expect(shown.replaceAll(/\s+/g, " ")).toMatch(
      /was interrupted at step-1, \w+ \(by a kill or crash, (?:\d+s ago|just now)\)/,
    );
    expect(shown).not.toMatch(/process_kill|\dT\d\d:|mark-interrupted/);
    expect(shown).not.toContain(`${id} `);
    expect(shown).not.toContain(`${id}:`);
    // Paths are for copying and stay whole.
    expect(shown.split("\n").filter((line) => line.length > 80 && !line.includes(shop.repo.path))).toEqual(
      [],
    );
    // What is printed for a later answer is accepted as it is printed.
    const later = shop.pawl("recover", "--auto").stdout;
    const [, answer] = /--answer (interrupted-session:s-[0-9a-f]{8}=A)/.exec(later) ?? [];
    expect(shop.pawl("recover", "--answer", answer!).code).toBe(0);
    expect(shop.query("select status from sessions")).toEqual([{ status: "abandoned" }]);
  });

  it("[S] shows what it was and did, and leaves it to be decided later", async () => {
    const shop = runShop();
    await killed(shop);
    const terminal = atTerminal({ cwd: shop.repo.path, env: shop.env }, "recover");
    await terminal.sees("[R]/[A]/[S]");
    terminal.press("s");
    expect(await terminal.ended).toBe(5);
    const [, after = ""] = terminal.shown().split("[R]/[A]/[S]");
    expect(after).toMatch(/worktree +\S+ \(pawl\/plan/);
    expect(after).toMatch(/1 +step-1 +\S+ +cut off/);
    expect(after).toContain("1 finding, 1 decision left.");
    const { data } = shop.json("recover", "--answer", "interrupted-session:*=S");
    expect(data.shown).toMatchObject([{ status: "interrupted", checkpoints: [{ anchor: "step-1" }] }]);
    expect(shop.pawl("recover").code).toBe(5);
  });

  it("has its agent stopped when it is marked, and when it was marked before", async () => {
    for (const marked of [false, true]) {
      const shop = runShop();
      await killed(shop);
      const [agent] = shop.pids();
      if (marked) shop.pawl("gc");
      expect(lives(agent!)).toBe(true);
      if (marked)
        expect(shop.json("recover", "--dry-run").data.findings).toMatchObject([
          { rule: "interrupted-session", automatic: { repair: "stop-agent" } },
        ]);
      const { repaired } = shop.json("recover", "--auto").data;
      expect(repaired).toMatchObject([{ repair: marked ? "stop-agent" : "mark-interrupted", done: true }]);
      expect(repaired[0].outcome).toContain(String(agent));
      expect(lives(agent!)).toBe(false);
      expect(rules(shop.json("recover", "--dry-run").data.findings)).toEqual(["interrupted-session"]);
    }
  });

  it.each([
    ["state release --force", ["state", "release", "plan.md", "step-1", "--force"]],
    ["state reset", ["state", "reset", "plan.md", "step-1"]],
    ["state hold", ["state", "hold", "plan.md", "step-1"]],
    ["worktree remove", ["worktree", "remove", "pawl/plan-w1"]],
    ["worktree clean", ["worktree", "clean", "--interrupted"]],
  ])("has its agent stopped before %s", { retry: 1 }, async (_name, args) => {
    const shop = runShop();
    await killed(shop);
    const [agent] = shop.pids();
    expect(lives(agent!)).toBe(true);
    expect(shop.pawl(...args)).toMatchObject({ code: 0 });
    expect(lives(agent!)).toBe(false);
    expect(shop.query("select count(*) as n from events where event = 'left-over-stopped'")).toEqual([
      { n: 1 },
    ]);
  });

  it("[A] abandons it: its step is free again, its work is saved", async () => {
    const shop = runShop();
    await killed(shop);
    expect(shop.pawl("recover").code).toBe(5);
    const { data } = shop.json("recover", "--answer", "interrupted-session:*=A");
    expect(data.repaired).toMatchObject([
      { repair: "abandon", done: true },
      { rule: "owner-gone", repair: "release", done: true },
    ]);
    expect(data.repaired[0].outcome).toContain("refs/pawl/");
    expect(shop.steps()[0]).toBe("step-1 pending");
    expect(shop.repo.git("for-each-ref", "refs/pawl")).not.toBe("");
  });

  it("is not offered any more once another run has finished its plan", async () => {
    const shop = runShop();
    await killed(shop);
    expect((await shop.run()).code).toBe(0);
    expect(shop.json("recover").data.findings).toEqual([]);
    expect(shop.json("status").data.sessions).toEqual([]);
    expect(shop.json("sessions", "list").data.sessions).toMatchObject([
      { status: "completed" },
      { status: "interrupted", resumable: false, resume_with: null },
    ]);
    expect(shop.json("resume")).toMatchObject({ issues: [{ code: "E174" }] });
  });

  it("was last alive when its heart beat, not when its agent was started", async () => {
    const shop = runShop();
    shop.script({ steps: { "step-1": [HANG, GOOD] } });
    const { child, ended } = shop.start("run", "plan.md", "--lease-duration", "3", ...AGENT);
    await untilWritten(join(shop.worktree(), "half.txt"));
    const started = shop.query("select started_at from checkpoints")[0]!["started_at"] as string;
    const beat = () =>
      shop.query("select heartbeat_at from steps where anchor = 'step-1'")[0]!["heartbeat_at"];
    await until(() => (beat() as string) > started);
    child.kill("SIGKILL");
    await ended;
    const [session] = shop.json("sessions", "list").data.sessions;
    expect(session.interrupted_at).toBe(beat());
  });
});

describe("a poison step whose verification kills Pawl", () => {
  it("is started as often as a step may be cut off, and then left to a person; nothing failed", async () => {
    const settings = '[verify]\ncommand = ["sh", "-c", "echo >> ../../../../starts; kill -9 $PPID"]\n';
    const shop = runShop([THREE[0]!], settings);
    for (let round = 0; round < MOST_CUT_OFF; round += 1)
      expect((await shop.start("run", "plan.md", ...AGENT).ended).signal).toBe("SIGKILL");
    expect((await shop.run()).code).toBe(5);
    expect(readFileSync(shop.path("starts"), "utf8")).toBe("\n".repeat(MOST_CUT_OFF));
    expect(shop.query("select status, block_reason, verification_attempts from steps")).toEqual([
      { status: "blocked", block_reason: "cut_off", verification_attempts: 0 },
    ]);
    const { data } = shop.json("recover", "--auto");
    expect(rules(data.findings)).toContain("verification-escalated");
  });
});

describe("a verification that times out again when it is repeated", () => {
  const NOTHING_ANSWERS = ["sh", "-c", "echo waiting for the port; sleep 60"];

  it("is a repair that failed: exit code 1, what the check printed, its log, and the next command", async () => {
    const shop = runShop(
      THREE.slice(0, 1),
      `[verify]\ntimeout = "1s"\ncommand = ${JSON.stringify(NOTHING_ANSWERS)}\n`,
    );
    expect((await shop.run()).code).toBe(5);
    const { code, stdout } = shop.pawl("recover");
    expect(stdout).toMatch(/^failed /);
    expect(stdout.replaceAll(/\s+/g, " ")).toContain("Timed out again: sh -c");
    expect(stdout).toContain("| waiting for the port\n");
    expect(stdout).toMatch(/\n +log \S+-verify\.log\n/);
    expect(stdout.replaceAll(/\s+/g, " ")).toContain("`pawl recover plan.md` to verify it again");
    expect(stdout.trimEnd()).toMatch(/\n1 finding, 1 repair failed\.$/);
    expect(code).toBe(1);
    expect(attemptsOf(shop)).toBe(2);
    const again = shop.pawl("recover", "plan.md", "--json");
    expect(again.code).toBe(1);
    expect(JSON.parse(again.stdout).data.repaired).toMatchObject([
      { rule: "verification-timed-out", done: false },
    ]);
    expect(shop.json("recover").data.open).toMatchObject([{ rule: "verification-escalated" }]);
  });
});

const attemptsOf = (shop: RunShop): unknown => shop.query("select attempt from verdicts").length;

describe("a step that was committed but not completed", () => {
  it("is completed from its trailer, once", async () => {
    const shop = runShop([THREE[0]!]);
    shop.pawl("state", "init", "plan.md");
    const folder = join(shop.repo.path, ".git/pawl");
    cpSync(folder, shop.path("older"), { recursive: true });
    expect((await shop.run()).code).toBe(0);
    // An older copy of the database is put back: git knows, the store does not.
    for (const name of ["state.db", "state.db-wal", "state.db-shm"]) {
      rmSync(join(folder, name), { force: true });
      if (existsSync(join(shop.path("older"), name)))
        cpSync(join(shop.path("older"), name), join(folder, name));
    }
    const { data } = shop.json("recover");
    expect(data.repaired).toMatchObject([
      { rule: "committed-but-not-completed", repair: "complete", done: true },
    ]);
    expect(shop.steps()).toEqual(["step-1 completed"]);
    expect(shop.json("recover").data.findings).toEqual([]);
  });
});

describe("worktrees and plans", () => {
  it("a worktree whose plan is gone: [C] cleans it up and saves what is in it, [K] keeps it", () => {
    const shop = runShop();
    shop.pawl("worktree", "create", "plan.md");
    shop.pawl("state", "init", "plan.md");
    const worktree = join(shop.repo.path, ".pawl/worktrees/plan");
    rmSync(join(shop.repo.path, "plan.md"));
    rmSync(join(worktree, "plan.md"));
    expect(shop.json("recover", "--answer", "orphaned-worktree:*=K").data.repaired).toMatchObject([
      { repair: "keep" },
    ]);
    expect(existsSync(worktree)).toBe(true);
    const { data } = shop.json("recover", "--answer", `orphaned-worktree:${worktree}=C`);
    expect(data.repaired).toMatchObject([{ repair: "clean", done: true }]);
    expect(data.repaired[0].outcome).toContain("restore with: pawl snapshot restore");
    expect(existsSync(worktree)).toBe(false);
  });

  it("a worktree whose folder is gone: [R] makes it again from its branch", () => {
    const shop = runShop();
    shop.pawl("worktree", "create", "plan.md");
    const worktree = join(shop.repo.path, ".pawl/worktrees/plan");
    rmSync(worktree, { recursive: true });
    const { data } = shop.json("recover", "--answer", "orphaned-worktree:pawl/plan=R");
    expect(data.repaired).toMatchObject([{ repair: "recreate", done: true }]);
    expect(existsSync(join(worktree, "plan.md"))).toBe(true);
  });

  it("a plan that was edited: [R] reads it again and keeps the progress", () => {
    const shop = runShop();
    shop.pawl("state", "init", "plan.md");
    const path = join(shop.repo.path, "plan.md");
    shop.repo.write("plan.md", readFileSync(path, "utf8").replace("- [ ] paint", "- [ ] paint it blue"));
    expect(shop.pawl("recover").code).toBe(5);
    const { data } = shop.json("recover", "--answer", "plan-changed:plan.md=R");
    expect(data.repaired).toMatchObject([{ repair: "read-again", done: true }]);
    expect(shop.json("recover").data.findings).toEqual([]);
  });

  it("a plan that cannot be read is reported with its line, and left as it is", () => {
    const shop = runShop();
    shop.pawl("state", "init", "plan.md");
    shop.repo.write("plan.md", "no plan any more\n");
    const { code, stdout } = shop.pawl("recover");
    expect(code).toBe(5);
    expect(stdout).toContain("plan.md cannot be read: line 1");
    expect(readFileSync(join(shop.repo.path, "plan.md"), "utf8")).toBe("no plan any more\n");
  });
});

describe("what is answered", () => {
  it("alone is done with --only, and an answer to what is gone does nothing", async () => {
    const shop = runShop();
    await killed(shop);
    expect(shop.pawl("recover").code).toBe(5);
    shop.repo.write("plan.md", `${readFileSync(join(shop.repo.path, "plan.md"), "utf8")}\nEdited.\n`);
    const only = ["recover", "--only", "--answer"] as const;
    expect(shop.pawl("recover", "--only").code).toBe(2);
    const gone = shop.json(...only, "plan-changed:plan.md=K", "--answer", "interrupted-session:s-0=A");
    expect(gone.issues).toMatchObject([{ code: "E240" }]);
    expect(shop.query("select * from events where event = 'repair-begun' and detail like '%keep%'")).toEqual(
      [],
    );
    const abandoned = shop.json(...only, "interrupted-session:*=A");
    expect(abandoned).toMatchObject({ status: "ok", data: { open: [] } });
    expect(abandoned.data.repaired).toMatchObject([{ repair: "abandon", done: true }]);
    expect(rules(shop.json("recover", "--dry-run").data.findings)).toEqual(["plan-changed", "owner-gone"]);
  });

  it("is refused when it is no rule, no key, or not offered", () => {
    const shop = runShop();
    for (const answer of ["x", "no-rule:a=R", "agent-timed-out:a=RR", "agent-timed-out:=R"])
      expect({ answer, code: shop.pawl("recover", "--answer", answer).code }).toEqual({ answer, code: 2 });
  });

  it("is not for agents", () => {
    const shop = runShop();
    expect(shop.pawl("recover").stdout).toContain("Nothing to recover.");
    const { code, stderr } = pawl({ cwd: shop.repo.path, env: { PAWL_SESSION: "s-1" } }, "recover");
    expect(code).toBe(4);
    expect(stderr).toContain("E077");
  });
});

describe("the journal", () => {
  it("has every repair before it is done, with the rule and the reason", async () => {
    const shop = runShop();
    await killed(shop);
    shop.pawl("recover", "--answer", "interrupted-session:*=A");
    const lines = shop.query("select event, detail from events order by id").map(({ event, detail }) => ({
      event: String(event),
      repair: (JSON.parse(String(detail)) as { repair?: string }).repair,
    }));
    const at = (event: string, repair?: string) =>
      lines.findIndex((line) => line.event === event && line.repair === repair);
    expect(at("repair-begun", "mark-interrupted")).toBeGreaterThan(-1);
    expect(at("repair-begun", "mark-interrupted")).toBeLessThan(at("session-interrupted"));
    expect(at("repair-begun", "abandon")).toBeLessThan(at("session-abandoned"));
    expect(at("repair-begun", "release")).toBeLessThan(at("released"));
  });
});

const scripted = (more: string): string =>
  `agent = "scripted"\n${more}[agents.scripted]\npreset = "claude"\nprogram = ${JSON.stringify(AGENT.slice(1))}\n`;

describe("a step of a Markdown plan whose agent ran out of time", () => {
  const SHORT =
    '[[workflows.short.commands]]\nname = "work"\ntype = "implement_spec"\nprompt = "implement"\ntimeout = "2s"\n';
  const ANSWER = "### North wall\n\nBricks first.\n\n- [ ] bricks\n\n### South wall\n\n- [ ] mortar";
  const ADDED = `
##### Step 1.1: North wall {#step-1-1}

Bricks first.

**Tasks:**

- [ ] bricks

##### Step 1.2: South wall {#step-1-2}

**Depends on:** #step-1-1

**Tasks:**

- [ ] mortar
`;

  /** A plan of which the first step is blocked, because its agent was stopped; the next call of an agent plans. */
  function timedOut(): RunShop {
    const shop = runShop(
      [
        { number: "1", tasks: ["dig"] },
        { number: "2", tasks: ["build"], dependsOn: ["step-1"] },
      ],
      scripted('workflow = "short"\n').concat(SHORT),
    );
    const script = { speak: "claude", steps: { "step-1": [[{ hang: true }]] }, runs: [[{ say: ANSWER }]] };
    writeFileSync(shop.path("script.json"), JSON.stringify(script));
    shop.pawl("run", "plan.md");
    expect(shop.query("select status, block_reason from steps where anchor = 'step-1'")).toEqual([
      { status: "blocked", block_reason: "agent_timeout" },
    ]);
    return shop;
  }

  const planIn = (shop: RunShop) => readFileSync(join(shop.repo.path, "plan.md"), "utf8");

  function expectBrokenDown(shop: RunShop, before: string): void {
    // The scripted agent ends what it says with a line of its own.
    const after = planIn(shop).replace(/Done: \S+\n\n/, "");
    expect(after).toContain(ADDED);
    expect(after.replace(ADDED, "")).toBe(before);
    expect(shop.steps().slice(0, 3)).toEqual(["step-1 pending", "step-1-1 pending", "step-1-2 pending"]);
    expect(shop.json("recover").data.findings).toEqual([]);
  }

  it("[B] has a planner put substeps behind its words, and not another byte changes", () => {
    const shop = timedOut();
    const before = planIn(shop);
    const { data } = shop.json("recover", "--answer", "agent-timed-out:step-1=B");
    expect(data.repaired).toMatchObject([{ rule: "agent-timed-out", repair: "break-down", done: true }]);
    expectBrokenDown(shop, before);
  });

  it("[B] at a terminal does the same", async () => {
    const shop = timedOut();
    const before = planIn(shop);
    const terminal = atTerminal({ cwd: shop.repo.path, env: shop.env, columns: 80 }, "recover");
    await terminal.sees('step-1 "');
    await terminal.sees("[B] Break down (a planner splits it into substeps)");
    await terminal.sees("[R]/[B]/[S]");
    expect(planIn(shop)).toBe(before);
    terminal.press("b");
    expect(await terminal.ended).toBe(0);
    // It takes a while, so its start is reported, and its result once.
    expect(terminal.shown()).toContain("break-down …");
    expect(terminal.shown().split("broken down into")).toHaveLength(2);
    expectBrokenDown(shop, before);
  });
});

describe("a session that waits for a usage limit", () => {
  it("is reported with the time at which it continues, and nothing is decided about it", () => {
    const shop = runShop([{ number: "1", tasks: ["dig"] }], scripted(""));
    const limit = [{ write: "half.txt" }, { limit: { inSeconds: 7200 } }];
    writeFileSync(
      shop.path("script.json"),
      JSON.stringify({ speak: "claude", steps: { "step-1": [limit, GOOD] } }),
    );
    shop.pawl("run", "plan.md");
    const before = shop.query("select id, status, paused_until from sessions");
    const { data } = shop.json("recover");
    expect(data.findings).toMatchObject([{ rule: "paused-by-limit" }]);
    expect(data.findings[0].found).toContain(String(before[0]!["paused_until"]));
    expect(data.repaired).toEqual([]);
    expect(shop.pawl("recover").code).toBe(0);
    expect(shop.query("select id, status, paused_until from sessions")).toEqual(before);
    expect(readFileSync(join(shop.worktree(), "half.txt"), "utf8")).not.toBe("");
  });
});

describe("a plan file that another tool left in progress", () => {
  it("goes back to pending by itself, what it calls completed stays, and no other byte changes", () => {
    const shop = runShop();
    const spec = ".auto-claude/specs/001-hats";
    const text = (felt: string, sew: string): string =>
      `{\r\n\t"phases": [{"id": 1, "subtasks": [{"id": "felt", "status": "${felt}"}, {"id": "sew", "status": "${sew}", "x": 1.0}]}]\r\n}`;
    const file = join(shop.repo.path, spec, "implementation_plan.json");
    shop.repo.write(`${spec}/implementation_plan.json`, text("pending", "pending"));
    shop.pawl("state", "init", spec);
    writeFileSync(file, text("completed", "in_progress"));
    const found = "completed in the file: felt";
    expect(shop.json("recover", "--dry-run").data.findings).toMatchObject([
      { rule: "plan-newer", found: expect.stringContaining(found) as string },
      { rule: "abandoned-in-file" },
    ]);
    expect(readFileSync(file, "utf8")).toBe(text("completed", "in_progress"));
    const { data } = shop.json("recover");
    expect(data.repaired).toMatchObject([{ rule: "abandoned-in-file", repair: "write-pending", done: true }]);
    expect(readFileSync(file, "utf8")).toBe(text("completed", "pending"));
    expect(shop.json("recover").data.findings).toMatchObject([{ rule: "plan-newer" }]);
  });
});
