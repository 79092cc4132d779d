import { execFileSync, spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { AGENTS } from "../../src/agents/presets/index.ts";
import { lives, type Workplace, workplace } from "../support/supervised.ts";
import { until } from "../support/until.ts";

let place: Workplace;
beforeEach(() => {
  place = workplace();
});
afterEach(() => place.remove());

const pidIn = (name: string) => Number(place.read(name));
const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);

describe("a supervised agent", () => {
  it("gets its prompt, its situation and no secret, and its end is recorded", async () => {
    const running = await place.start("claude", [{ say: "Hello." }, { write: "a.txt", text: "x" }], {
      prompt: "Do – this\n$(touch evil)",
      blanks: { session: "11111111-1111-4111-8111-111111111111" },
    });
    const end = await running.ended;
    expect(end).toMatchObject({
      exitCode: 0,
      signal: undefined,
      stopped: undefined,
      verdict: { outcome: "finished" },
      report: { sessionId: "11111111-1111-4111-8111-111111111111", result: { ok: true } },
      leftRunning: [],
      swept: [],
    });
    expect(end.report.usage).toEqual({ inputTokens: 10, outputTokens: 5, costUsd: 0.01 });
    expect(end.lastLines.slice(0, 2)).toEqual(["Hello.", "Write: a.txt"]);
    const facts = JSON.parse(place.read("script-1.json.run.1.json")) as {
      prompt: string;
      argv: string[];
      env: Record<string, string>;
    };
    expect(facts.prompt).toBe("Do – this\n$(touch evil)");
    expect(facts.argv.join(" ")).not.toContain("touch");
    expect(existsSync(place.path("evil"))).toBe(false);
    expect(
      Object.keys(facts.env)
        .filter((name) => name.startsWith("PAWL_"))
        .toSorted(),
    ).toEqual(["PAWL_CLAIM", "PAWL_PLAN", "PAWL_SESSION", "PAWL_WORKTREE"]);
  });

  it("leaves a log and a prompt that only their owner can read", async () => {
    const running = await place.start("claude", [{ say: "Hello." }]);
    const { log } = await running.ended;
    expect([mode(place.path("logs")), mode(log.path), mode(running.promptPath!)]).toEqual([
      "700",
      "600",
      "600",
    ]);
    expect(readFileSync(log.path, "utf8")).toContain("Hello.");
    expect(log).toMatchObject({ droppedBytes: 0, problem: undefined, bytes: statSync(log.path).size });
  });

  it("does not start where its log is already, or a link", async () => {
    await (
      await place.start("claude", [])
    ).ended;
    await expect(place.start("claude", [], { logName: "command-1" })).rejects.toMatchObject({
      problem: "run/log-failed",
    });
    symlinkSync(place.path("elsewhere"), place.path("logs/link.log"));
    await expect(place.start("claude", [], { logName: "link" })).rejects.toMatchObject({
      problem: "run/log-failed",
    });
    expect(existsSync(place.path("elsewhere"))).toBe(false);
  });

  it("that is not installed is named, and so is a folder that is gone", async () => {
    const choice = { preset: AGENTS.codex, program: ["no-such-agent"], args: [] };
    await expect(place.start("codex", [], { choice })).rejects.toMatchObject({ problem: "agent/not-found" });
    expect(readdirSync(place.path("logs"))).toEqual([]);
    await expect(place.start("codex", [], { cwd: place.path("gone") })).rejects.toMatchObject({
      problem: "agent/not-startable",
    });
  });

  it("ends before it has read a long prompt, and nothing breaks", async () => {
    const choice = { preset: AGENTS.command, program: ["true"], args: [] };
    const running = await place.start("command", [], { choice, prompt: "x".repeat(4_000_000) });
    expect((await running.ended).verdict).toEqual({ outcome: "finished" });
  });

  it("gets its prompt as a file where its preset says so", async () => {
    const running = await place.start("aider", [{ say: "ok" }], { prompt: "From a file." });
    await running.ended;
    const { prompt } = JSON.parse(place.read("script-1.json.run.1.json")) as { prompt: string };
    expect(prompt).toBe("From a file.");
  });

  it.each([
    ["claude", { limit: { at: 4_000_000_000 } }, { outcome: "limited", untilMs: undefined }],
    ["codex", { unauthorised: true }, { outcome: "unauthorised" }],
    ["gemini", { contextExhausted: true }, { outcome: "context_exhausted" }],
    ["opencode", { offline: true }, { outcome: "offline" }],
    ["command", { limit: { inSeconds: 60 } }, { outcome: "limited" }],
    ["claude", { die: "SIGKILL" }, { outcome: "killed", signal: "SIGKILL", by: "somebody" }],
    ["codex", { exit: 3 }, { outcome: "failed", exitCode: 3 }],
  ] as const)("in the guise of %s that does %j is %j", async (name, act, verdict) => {
    const running = await place.start(name, [act]);
    expect((await running.ended).verdict).toMatchObject(verdict);
  });

  it("tells when its limit ends", async () => {
    const at = Math.ceil(Date.now() / 1000) + 3600;
    for (const name of ["claude", "codex", "gemini", "opencode"] as const) {
      const { verdict } = await (await place.start(name, [{ limit: { at } }])).ended;
      expect(verdict, name).toMatchObject({ outcome: "limited", untilMs: at * 1000 });
    }
  });
});

describe("stopping", () => {
  it("ends an agent that hangs, its children, and a daemon that left its group", async () => {
    const running = await place.start("claude", [
      { child: "child.pid" },
      { daemon: "daemon.pid" },
      { say: "ready" },
      { hang: true },
    ]);
    await until(() => running.lastLines().includes("ready"));
    const pids = [running.record.pid, pidIn("child.pid"), pidIn("daemon.pid")];
    expect(pids.map(lives)).toEqual([true, true, true]);
    await running.stop("asked");
    expect(pids.map(lives)).toEqual([false, false, false]);
    const end = await running.ended;
    expect(end).toMatchObject({ stopped: "asked", leftRunning: [] });
    expect(end.verdict).toEqual({ outcome: "killed", signal: "SIGTERM", by: "supervisor" });
    expect(new Set(end.swept.map(({ pid }) => pid))).toEqual(new Set(pids.slice(1)));
  });

  it("forces an agent that does not hear", async () => {
    const running = await place.start(
      "claude",
      [{ ignore: ["SIGTERM", "SIGINT", "SIGHUP"] }, { say: "ready" }, { hang: true }],
      { graceMs: 300 },
    );
    await until(() => running.lastLines().includes("ready"));
    const start = performance.now();
    await running.stop("asked");
    expect(performance.now() - start).toBeGreaterThan(250);
    expect((await running.ended).signal).toBe("SIGKILL");
  });

  it("does not wait when it is asked a second time", async () => {
    const running = await place.start("claude", [{ ignore: ["SIGTERM"] }, { say: "ready" }, { hang: true }], {
      graceMs: 60_000,
    });
    await until(() => running.lastLines().includes("ready"));
    const first = running.stop("asked");
    const start = performance.now();
    await running.stop("asked");
    await first;
    expect(performance.now() - start).toBeLessThan(5000);
    expect((await running.ended).signal).toBe("SIGKILL");
  });

  it("ends an agent that was halted", async () => {
    const running = await place.start("claude", [{ say: "ready" }, { hang: true }]);
    await until(() => running.lastLines().includes("ready"));
    process.kill(running.record.pid, "SIGSTOP");
    await running.stop("asked");
    expect((await running.ended).signal).toBe("SIGTERM");
  });

  it("comes by itself when the time is over", async () => {
    const running = await place.start("claude", [{ hang: true }], { timeoutMs: 500 });
    expect((await running.ended).verdict).toEqual({ outcome: "timed_out" });
    expect(lives(running.record.pid)).toBe(false);
  });

  it("finds a daemon that cleared its environment, by the streams it holds", async () => {
    const running = await place.start("claude", [
      { daemon: "daemon.pid", clear: true },
      { say: "ready" },
      { hang: true },
    ]);
    await until(() => running.lastLines().includes("ready"));
    await running.stop("asked");
    expect(lives(pidIn("daemon.pid"))).toBe(false);
  });

  it("finds a daemon that gave up everything at once, by the folder that was made for it", async () => {
    const running = await place.start("claude", [{ daemon: "daemon.pid", clear: true, mute: true }], {
      folder: place.folder,
    });
    const { swept } = await running.ended;
    expect(swept.map(({ pid }) => pid)).toEqual([pidIn("daemon.pid")]);
    expect(lives(pidIn("daemon.pid"))).toBe(false);
  });

  it("leaves a program of a person that works in the folder, whatever it left behind", async () => {
    const running = await place.start(
      "claude",
      [{ daemon: "daemon.pid", clear: true, mute: true }, { say: "ready" }, { hang: true }],
      { folder: place.folder },
    );
    await until(() => running.lastLines().includes("ready"));
    const script = `const { spawn } = require("child_process");
      const editor = spawn("sleep", ["1000"], { detached: true, stdio: "ignore" });
      editor.unref();
      console.log(editor.pid);`;
    const env = { HOME: "/home/somebody", USER: "somebody", PATH: process.env["PATH"] };
    const editor = Number(execFileSync(process.execPath, ["-e", script], { cwd: place.folder, env }));
    try {
      await running.stop("asked");
      expect([pidIn("daemon.pid"), editor].map(lives)).toEqual([false, true]);
      expect((await running.ended).leftRunning).toEqual([]);
    } finally {
      process.kill(editor, "SIGKILL");
    }
  });

  it("leaves processes alone in a folder that was not made for it", async () => {
    const running = await place.start("claude", [{ daemon: "daemon.pid", clear: true, mute: true }]);
    const { swept } = await running.ended;
    const daemon = pidIn("daemon.pid");
    try {
      expect(swept).toEqual([]);
      expect(lives(daemon)).toBe(true);
    } finally {
      process.kill(daemon, "SIGKILL");
    }
  });

  it("finds a child that gave up everything, because it was seen below its parent", async () => {
    const running = await place.start("claude", [
      { child: "child.pid", clear: true },
      { say: "ready" },
      { pause: 2500 },
      { die: "SIGKILL" },
    ]);
    const { swept } = await running.ended;
    expect(swept.map(({ pid }) => pid)).toEqual([pidIn("child.pid")]);
    expect(lives(pidIn("child.pid"))).toBe(false);
  });

  it("catches a program that starts itself again whenever it is asked to leave", async () => {
    const again = `const { spawn } = require("child_process");
      process.on("SIGTERM", () => { spawn(process.execPath, process.execArgv, { detached: true, stdio: "inherit" }); process.exit(0); });
      setInterval(() => undefined, 1 << 30); console.log("ready");`;
    const choice = { preset: AGENTS.command, program: [process.execPath, "-e", again], args: [] };
    const running = await place.start("command", [], { choice, graceMs: 700 });
    await until(() => running.lastLines().includes("ready"));
    await running.stop("asked");
    const { swept, leftRunning } = await running.ended;
    expect(swept.length).toBeGreaterThan(0);
    expect(leftRunning).toEqual([]);
    expect(place.supervisor.isStillRunning(running.record)).toBe(false);
  });

  it("sweeps up what an agent leaves behind when it ends well", async () => {
    const running = await place.start("claude", [{ child: "child.pid" }, { daemon: "daemon.pid" }]);
    const end = await running.ended;
    expect(end.verdict).toEqual({ outcome: "finished" });
    expect([pidIn("child.pid"), pidIn("daemon.pid")].map(lives)).toEqual([false, false]);
    expect(new Set(end.swept.map(({ pid }) => pid))).toEqual(
      new Set([pidIn("child.pid"), pidIn("daemon.pid")]),
    );
  });

  it("does not touch the agents of another session", async () => {
    const other = workplace();
    try {
      const stranger = await other.start("claude", [{ say: "ready" }, { hang: true }]);
      await until(() => stranger.lastLines().includes("ready"));
      await (
        await place.start("claude", [{ daemon: "daemon.pid" }])
      ).ended;
      expect(lives(stranger.record.pid)).toBe(true);
      await stranger.stop("asked");
      await stranger.ended;
    } finally {
      await other.remove();
    }
  });

  it("says lease lost when the heartbeat ended it", async () => {
    let lost = false;
    const running = await place.start("claude", [{ say: "ready" }, { hang: true }], {
      leaseLost: () => lost,
    });
    await until(() => running.lastLines().includes("ready"));
    lost = true;
    process.kill(-running.record.group, "SIGTERM");
    expect(await running.ended).toMatchObject({ stopped: "lease_lost", verdict: { by: "supervisor" } });
  });
});

describe("hostile output", () => {
  it("of 100 MB fills neither memory nor disk, and its end is kept", async () => {
    const before = process.memoryUsage().rss;
    const running = await place.start("claude", [{ flood: 100_000_000 }, { say: "the end" }]);
    const end = await running.ended;
    expect(end.verdict).toEqual({ outcome: "finished" });
    expect(end.log.bytes).toBeGreaterThan(100_000_000);
    const files = readdirSync(place.path("logs")).filter((name) => name.includes(".log"));
    const onDisk = files.reduce((sum, name) => sum + statSync(place.path(`logs/${name}`)).size, 0);
    expect(onDisk).toBeLessThanOrEqual(24 * 1024 * 1024);
    expect(onDisk + end.log.droppedBytes).toBe(end.log.bytes);
    expect(readFileSync(end.log.path, "utf8")).toContain("the end");
    expect(readFileSync(`${end.log.path}.head`, "latin1").slice(0, 200)).toContain("init");
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024);
  });

  it("in one line that does not end is contained", async () => {
    const running = await place.start("codex", [
      { flood: 40_000_000, line: 40_000_000, to: "stderr" },
      { say: "after" },
    ]);
    const end = await running.ended;
    expect(end.verdict).toEqual({ outcome: "finished" });
    expect(end.lastLines.every((line) => line.length <= 500)).toBe(true);
    expect(end.lastLines).toContain("after");
  });

  it("of bytes and escapes reaches people as harmless text, and the log as it was", async () => {
    const running = await place.start("command", [{ binary: 100_000 }, { escapes: true }]);
    const { lastLines, log } = await running.ended;
    expect(lastLines.length).toBeGreaterThan(0);
    // oxlint-disable-next-line no-control-regex -- that is what is looked for
    for (const line of lastLines) expect(line).not.toMatch(/[\x00-\x1f\x7f-\x9f\u202e]/);
    expect(readFileSync(log.path).includes("\u001b]52;c;aGk=\u0007")).toBe(true);
  });

  it("keeps keys out of the log, also where they are cut in two", async () => {
    const key = "sk-very-secret-0123456789";
    const running = await place.start(
      "command",
      [{ say: `key ${key} and` }, { say: key.slice(0, 12) }, { say: `${key}${key}` }],
      { secrets: { SOME_API_KEY: key } },
    );
    const { log, lastLines, report } = await running.ended;
    const text = readFileSync(log.path, "utf8");
    for (const kept of [text, report.answer, ...lastLines]) expect(kept).not.toContain(key);
    expect(text).toContain("key [SOME_API_KEY] and\nsk-very-secr\n[SOME_API_KEY][SOME_API_KEY]");
  });
});

describe("what a dead supervisor left running", () => {
  /** An agent whose record is all that is left of its supervisor: no process waits for it. */
  async function orphan(acts: Parameters<Workplace["start"]>[1]) {
    const running = await place.start("claude", [...acts, { say: "ready" }, { hang: true }]);
    await until(() => running.lastLines().includes("ready"));
    return running;
  }

  it("is found and ended by its record, daemons among it", async () => {
    const { record } = await orphan([{ daemon: "daemon.pid" }]);
    const stored = JSON.parse(JSON.stringify(record)) as typeof record;
    expect(place.supervisor.isStillRunning(stored)).toBe(true);
    const { stopped, left } = await place.supervisor.stopLeftOver(stored, { graceMs: 1000 });
    expect(left).toEqual([]);
    expect(stopped.map(({ pid }) => pid)).toEqual(expect.arrayContaining([record.pid, pidIn("daemon.pid")]));
    expect(place.supervisor.isStillRunning(stored)).toBe(false);
  });

  it("is found by its session when the agent itself is gone", async () => {
    const { record, ended } = await orphan([{ daemon: "daemon.pid" }, { ignore: ["SIGTERM"] }]);
    const daemon = pidIn("daemon.pid");
    // As after the death of the supervisor: the sweep after the agent's end does not happen in this record's name.
    const onlyMark = { ...record, pid: 4_000_000, group: 4_000_000, streams: [] };
    expect(place.supervisor.isStillRunning(onlyMark)).toBe(true);
    const { stopped } = await place.supervisor.stopLeftOver(onlyMark, { graceMs: 100 });
    expect(stopped.map(({ pid }) => pid)).toEqual(expect.arrayContaining([record.pid, daemon]));
    await ended;
  });

  it("is nothing when its number belongs to a stranger now", async () => {
    const { record, ended, stop } = await orphan([]);
    const stranger = spawn("sleep", ["1000"], { detached: true, stdio: "ignore" });
    try {
      const reused = { ...record, pid: stranger.pid!, group: stranger.pid!, session: "s-other", streams: [] };
      expect(place.supervisor.isStillRunning(reused)).toBe(false);
      expect(await place.supervisor.stopLeftOver(reused, { graceMs: 0 })).toEqual({ stopped: [], left: [] });
      expect(lives(stranger.pid!)).toBe(true);
    } finally {
      stranger.kill("SIGKILL");
      await stop("asked");
      await ended;
    }
  });

  it("is nothing on another boot or another machine", async () => {
    const { record, ended, stop } = await orphan([]);
    for (const other of [{ bootId: "another" }, { hostId: "another" }]) {
      const elsewhere = { ...record, ...other };
      expect(place.supervisor.isStillRunning(elsewhere)).toBe(false);
      expect(await place.supervisor.stopLeftOver(elsewhere)).toEqual({ stopped: [], left: [] });
    }
    expect(lives(record.pid)).toBe(true);
    await stop("asked");
    await ended;
  });
});

it("takes out of an agent's environment what git says binds it to a repository", async () => {
  const bound = execFileSync("git", ["rev-parse", "--local-env-vars"], { encoding: "utf8" })
    .trim()
    .split("\n");
  const { agentEnvironment } = await import("../../src/platform/os/supervise/agent-environment.ts");
  const poison = Object.fromEntries(
    [...bound, "GIT_CONFIG_KEY_0", "GIT_CONFIG_VALUE_0"].map((name) => [name, "x"]),
  );
  const given = agentEnvironment(
    {
      ...poison,
      PATH: "/bin",
      GIT_AUTHOR_NAME: "A",
      PAWL_DATABASE_URL: "postgres://u:p@h/d",
      PGPASSWORD: "p",
      PAWL_SESSION: "outer",
      PAWL_STEP: "outer",
      PAWL_STATE_DIR: "/state",
      CLAUDECODE: "1",
    },
    { session: "s-1", worktree: "/w", plan: "p.md", claim: 3 },
  );
  expect(given).toEqual({
    PATH: "/bin",
    GIT_AUTHOR_NAME: "A",
    // Pawl's own.
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: "core.fsync",
    GIT_CONFIG_VALUE_0: "all",
    PAWL_STATE_DIR: "/state",
    PAWL_SESSION: "s-1",
    PAWL_WORKTREE: "/w",
    PAWL_PLAN: "p.md",
    PAWL_CLAIM: "3",
  });
});
