import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { AgentRun } from "../../src/agents/run-agent.ts";
import { AGENTS } from "../../src/agents/presets/index.ts";
import { lives, type Workplace, workplace } from "../support/supervised.ts";
import { until } from "../support/until.ts";
import { programOf } from "./installed-agents.ts";
import { type StandIn, standIn } from "./stand-in.ts";

/** The released agents under the supervisor, against a stand-in of their model's API. */

let api: StandIn;
let place: Workplace;
beforeAll(async () => {
  api = await standIn();
});
afterAll(() => api.close());
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
    choice: { preset: AGENTS[name], program: [programOf(name)], args: argumentsFor(name, url) },
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
