import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { AgentRun } from "../../src/agents/run-agent.ts";
import { AGENTS } from "../../src/agents/presets/index.ts";
import { lives, type Workplace, workplace } from "../support/supervised.ts";
import { until } from "../support/until.ts";
import { type RunShop, runShop, untilWritten } from "../support/run-shop.ts";
import { type InstalledAgents, installedAgents } from "./installed-agents.ts";
import { type StandIn, standIn } from "./stand-in.ts";

/** The released agents under the supervisor, against a stand-in of their model's API. */

let agents: InstalledAgents;
let api: StandIn;
let place: Workplace;
beforeAll(async () => {
  agents = installedAgents();
  api = await standIn();
  for (const name of ["claude", "codex"] as const) console.log(`${name}: ${agents.version(name)}`);
});
afterAll(async () => {
  await api.close();
  agents.remove();
});
beforeEach(() => {
  place = workplace();
  mkdirSync(place.path("home"));
});
afterEach(() => place.remove());

type Name = "claude" | "codex";

const MODELS: Readonly<Record<Name, string>> = { claude: "claude-sonnet-4-5", codex: "gpt-5" };

const argumentsFor = (name: Name, url: string): readonly string[] => {
  const provider = `{name="m",base_url="${url}/v1",env_key="STAND_IN_KEY",wire_api="responses",request_max_retries=1,stream_max_retries=1}`;
  return {
    claude: ["--bare", "--allowedTools", "Bash"],
    codex: [
      "-c",
      "model_provider=m",
      "-c",
      `model_providers.m=${provider}`,
      "--sandbox",
      "danger-full-access",
    ],
  }[name];
};

/** Nothing of the user's own set-up, a made-up key, and loopback only. */
const environmentFor = (url: string) => ({
  HOME: place.path("home"),
  STAND_IN_KEY: "made-up",
  ANTHROPIC_API_KEY: "made-up",
  ANTHROPIC_BASE_URL: url,
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  CLAUDE_CODE_MAX_RETRIES: "1",
});

function start(name: Name, options: Partial<AgentRun> & { readonly offline?: boolean } = {}) {
  const { offline = false, ...run } = options;
  const url = offline ? "http://127.0.0.1:9" : api.url;
  return place.start(name, [], {
    choice: { preset: AGENTS[name], program: [agents.program(name)], args: argumentsFor(name, url) },
    blanks: { model: MODELS[name] },
    timeoutMs: 60_000,
    ...run,
    env: { ...environmentFor(url), ...run.env },
  });
}

describe.each(["claude", "codex"] as const)("%s under the supervisor", (name) => {
  it("works, tells what it did, and is resumed by its id", async () => {
    const session = name === "claude" ? randomUUID() : undefined;
    api.answer({ run: "echo made > made.txt" }, { say: "Made it." });
    const blanks = { model: MODELS[name] };
    const first = await (await start(name, { blanks: { ...blanks, session } })).ended;
    expect(first.verdict, readFileSync(first.log.path, "utf8").slice(-2000)).toEqual({ outcome: "finished" });
    expect(readFileSync(place.path("made.txt"), "utf8")).toBe("made\n");
    expect(first.lastLines.join("\n")).toContain("made.txt");
    expect(first.report.answer).toContain("Made it.");
    const id = session ?? first.report.sessionId;
    expect(first.report.sessionId).toBe(id);
    api.answer({ say: "Back again." });
    const second = await (await start(name, { mode: "resume", blanks: { ...blanks, session: id } })).ended;
    expect(second.verdict).toEqual({ outcome: "finished" });
    expect(second.report).toMatchObject({ sessionId: id, answer: expect.stringContaining("Back again.") });
  });

  it.each([
    ["limit", "limited"],
    ["key", "unauthorised"],
    ["context", "context_exhausted"],
  ] as const)("that is refused for its %s is %s", async (refuse, outcome) => {
    api.answer({ refuse });
    const { verdict } = await (await start(name)).ended;
    expect(verdict).toMatchObject({ outcome });
    if (name === "codex" && verdict.outcome === "limited")
      expect(Math.abs(verdict.untilMs! - Date.now() - 7_200_000)).toBeLessThan(120_000);
  });

  it("without a network is offline", async () => {
    const { verdict } = await (await start(name, { offline: true, timeoutMs: 20_000 })).ended;
    expect(verdict).toMatchObject({ outcome: "offline" });
  });

  it("is ended with everything it started", async () => {
    api.answer({ run: "setsid sleep 1000 >/dev/null 2>&1 & echo $! > pid.txt; sleep 1000" });
    const running = await start(name);
    await until(
      () => existsSync(place.path("pid.txt")) && place.read("pid.txt").trim() !== "",
      undefined,
      50_000,
    );
    const pid = Number(place.read("pid.txt"));
    await running.stop("asked");
    const { verdict, leftRunning } = await running.ended;
    expect(verdict).toMatchObject({ outcome: "killed", by: "supervisor" });
    expect([leftRunning, lives(pid), place.supervisor.isStillRunning(running.record)]).toEqual([
      [],
      false,
      false,
    ]);
  });
});

describe.each(["claude", "codex"] as const)("pawl run with %s", (name) => {
  const TICK = "pawl state update plan.md step-1 --all completed";
  const WORK = { run: `mkdir -p work && echo made > work/made.txt && ${TICK}` } as const;

  /** One step, and an agent of that name which knows nothing but the stand-in. */
  const shopFor = (): RunShop =>
    runShop(
      [{ number: "1", tasks: ["make it"] }],
      [
        `agent = "${name}"`,
        `[agents.${name}]`,
        `program = ${JSON.stringify([agents.program(name)])}`,
        `args = ${JSON.stringify(argumentsFor(name, api.url))}`,
        `model = "${MODELS[name]}"`,
        "",
      ].join("\n"),
      environmentFor(api.url),
    );
  // The stand-in answers from this process, so nothing here may wait in a way that blocks it.
  const pawl = (shop: RunShop, ...args: readonly string[]) => shop.start(...args).ended;
  const conversations = (shop: RunShop) =>
    shop.query("select agent_session from checkpoints order by number").map((row) => row["agent_session"]);

  it("does a step: the agent ticks it through the pawl on its PATH, and it is committed", async () => {
    const shop = shopFor();
    api.answer(WORK, { say: "Made it." });
    const { code, stdout, stderr } = await pawl(shop, "run");
    expect({ code, stdout, stderr }).toMatchObject({ code: 0 });
    expect(shop.commits()).toEqual(["step-1"]);
    expect(shop.repo.git("show", "pawl/plan:work/made.txt")).toBe("made");
    expect((await pawl(shop, "sessions", "logs", "s-")).stdout).toContain("Made it.");
  });

  it("pauses at a limit without an attempt, and goes on with resume", async () => {
    const shop = shopFor();
    api.answer({ refuse: "limit" });
    const paused = await pawl(shop, "run");
    expect({ code: paused.code, stderr: paused.stderr }).toMatchObject({ code: 5 });
    expect(paused.stdout).toContain("resume with: pawl resume");
    expect(shop.query("select status, interruption_type from sessions")).toEqual([
      { status: "interrupted", interruption_type: "usage_limit" },
    ]);
    expect(shop.query("select count(*) as n from attempts")).toEqual([{ n: 0 }]);
    api.answer(WORK, { say: "Made it." });
    const resumed = await pawl(shop, "resume");
    expect({ code: resumed.code, stdout: resumed.stdout, stderr: resumed.stderr }).toMatchObject({ code: 0 });
    expect(shop.commits()).toEqual(["step-1"]);
  });

  it("says that a key was refused, and that a person must act", async () => {
    const shop = shopFor();
    api.answer({ refuse: "key" });
    const refused = await pawl(shop, "run", "--wait");
    expect({ code: refused.code, stderr: refused.stderr }).toMatchObject({ code: 5 });
    expect(refused.stdout).toContain("because");
    expect(shop.query("select count(*) as n from attempts")).toEqual([{ n: 0 }]);
  });

  it("that is killed with its runner is stopped, and takes its conversation up again", async () => {
    const shop = shopFor();
    api.answer({ run: "echo half > half.txt; sleep 1000" });
    const first = shop.start("run");
    await untilWritten(join(shop.worktree(), "half.txt"));
    first.child.kill("SIGKILL");
    await first.ended;
    api.answer(WORK, { say: "Made it." });
    const resumed = await pawl(shop, "resume");
    expect({ code: resumed.code, stdout: resumed.stdout, stderr: resumed.stderr }).toMatchObject({ code: 0 });
    expect(shop.commits()).toEqual(["step-1"]);
    expect(shop.repo.git("ls-tree", "-r", "--name-only", "pawl/plan")).toContain("half.txt");
    const [before, after] = conversations(shop);
    expect(before).toEqual(expect.any(String));
    expect(after).toBe(before);
  });
});
