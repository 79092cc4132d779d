import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { lastJson, pawlAsync, type Run } from "../support/cli.ts";
import { type Acts, GOOD, type RunShop, runShop, THREE, untilThere } from "../support/run-shop.ts";
import { SCRIPTED_AGENT } from "../support/supervised.ts";
import { enter, startUi } from "../support/ui-shop.ts";
import { until } from "../support/until.ts";

/** Agents that cannot continue, and what a run may use. */

const agent = (name: string, path: string, more = "") =>
  `[agents.${name}]\npreset = "${name}"\nprogram = ${JSON.stringify([process.execPath, path])}\n${more}`;

/** Both agents are the scripted one, which speaks by the name that it is started under. */
function shopOfTwo(
  steps: Readonly<Record<string, readonly Acts[]>>,
  settings = "",
  plan: Parameters<typeof runShop>[0] = THREE,
): RunShop {
  const shop = runShop(plan);
  for (const name of ["claude", "codex"]) symlinkSync(SCRIPTED_AGENT, shop.path(name));
  writeFileSync(shop.path("script.json"), JSON.stringify({ runs: [GOOD], steps }));
  const both = `${agent("claude", shop.path("claude"))}${agent("codex", shop.path("codex"), "price = { input = 1000, output = 2000 }\n")}`;
  shop.repo.write("pawl.toml", `agent = "claude"\nfallback = ["codex"]\n${both}${settings}`);
  shop.repo.git("add", "-A");
  shop.repo.git("commit", "-q", "-m", "settings");
  return shop;
}

const call = (shop: RunShop, ...args: readonly string[]) =>
  pawlAsync({ cwd: shop.repo.path, env: shop.env }, ...args);
const run = (shop: RunShop, ...options: readonly string[]) => call(shop, "run", "plan.md", ...options);
// oxlint-disable-next-line typescript/no-explicit-any -- tests look into every shape
const answerOf = (ended: Run): any => lastJson(ended).data;
const started = (shop: RunShop) =>
  shop
    .query("select anchor, agent, outcome from checkpoints where position >= 0 order by started_at, number")
    .map(({ anchor, agent: name, outcome }) => `${String(anchor)} ${String(name)} ${String(outcome)}`);
const factsOf = (shop: RunShop, step: string, number: number) =>
  JSON.parse(readFileSync(shop.path(`script.json.${step}.${number}.json`), "utf8")) as {
    readonly argv: readonly string[];
    readonly prompt: string;
  };

const HALF: Acts = [{ write: "half.txt", text: "by the first\n" }];

describe("an agent that runs into its limit in the middle of a step", () => {
  it("is followed by the next one in the same worktree, without an attempt, at the same total everywhere", async () => {
    const shop = shopOfTwo({ "step-2": [[...HALF, { limit: { inSeconds: 7200 } }], GOOD] });
    const ended = await run(shop, "--json");
    const answer = answerOf(ended);
    expect(answer.ended).toBe("all_completed");
    expect(started(shop)).toEqual([
      "step-1 claude finished",
      "step-2 claude limited",
      "step-2 codex finished",
      "step-3 codex finished",
    ]);
    expect(shop.query("select anchor, number from attempts order by anchor, number")).toHaveLength(3);
    expect(shop.query("select verification_attempts from steps where anchor = 'step-2'")).toEqual([
      { verification_attempts: 1 },
    ]);
    expect(shop.repo.git("show", "pawl/plan:half.txt")).toBe("by the first");
    expect(factsOf(shop, "step-2", 2).prompt).toContain("begun by claude, which could not continue");
    expect(ended.stdout).toContain('"event":"agent-changed"');
    // Twice claude at one cent, twice codex at 10 × 1000 + 5 × 2000 millionths.
    const total = { input_tokens: 40, output_tokens: 20, cost_usd: 0.06, unpriced_tokens: 0 };
    expect(answer.usage).toEqual(total);
    expect(shop.json("state", "show", "plan.md").data.plan.usage).toEqual(total);
    expect(shop.json("sessions", "show", answer.sessions[0]).data.session.usage).toEqual(total);
    expect(shop.json("status").data.plans[0].usage).toEqual(total);
    const { get } = await enter(await startUi(shop));
    expect((await get("/api/overview")).body.data.plans[0].usage).toEqual(total);
    const session = await get(`/api/session?id=${answer.sessions[0]}`);
    expect(session.body.data.session.usage).toEqual(total);
  });

  it("is left alone after a kill until its limit resets, and the other continues its own conversation", async () => {
    const shop = shopOfTwo({
      "step-2": [
        [...HALF, { limit: { inSeconds: 7200 } }],
        [{ write: "more.txt" }, { write: "../../../../there" }, { hang: true }],
        GOOD,
      ],
    });
    const { child, ended } = shop.start("run", "plan.md");
    await untilThere(shop.path("there"));
    const named = "select 1 from checkpoints where agent = 'codex' and agent_session is not null";
    await until(() => shop.query(named).length === 1);
    child.kill("SIGKILL");
    await ended;
    const answer = answerOf(await call(shop, "resume", "--json"));
    expect(answer.ended).toBe("all_completed");
    expect(started(shop).filter((line) => line.includes("claude"))).toEqual([
      "step-1 claude finished",
      "step-2 claude limited",
    ]);
    const talk = shop.query(
      "select distinct agent_session from checkpoints where anchor = 'step-2' and agent = 'codex'",
    );
    expect(talk).toHaveLength(1);
    expect(factsOf(shop, "step-2", 3).argv).toContain("resume");
    expect(shop.repo.git("show", "pawl/plan:half.txt")).toBe("by the first");
  });

  it("gives way also when its key is rejected; with no agent left the run pauses", async () => {
    const shop = shopOfTwo({ "step-1": [[{ unauthorised: true }], GOOD] });
    expect(answerOf(await run(shop, "--json")).ended).toBe("all_completed");
    expect(started(shop)[1]).toBe("step-1 codex finished");
    const both = shopOfTwo({ "step-1": [[{ limit: { inSeconds: 7200 } }], [{ limit: { inSeconds: 60 } }]] });
    const ended = await run(both, "--json");
    expect(ended.code).toBe(5);
    const answer = answerOf(ended);
    // The first that returns is waited for.
    expect(Date.parse(answer.paused_until) - Date.now()).toBeLessThan(10 * 60_000);
    expect(answer.resume_with).toMatch(/^pawl resume/);
  });

  it("is refused before anything starts where the next one is not known", async () => {
    const shop = shopOfTwo({});
    const ended = await run(shop, "--agent", "claude,codexx");
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain("Did you mean codex?");
    expect(shop.starts("step-1")).toBe(0);
  });
});

describe("a limit of the run", () => {
  it("pauses after what had begun, says how to continue, and holds after a resume until it is raised", async () => {
    const shop = shopOfTwo({});
    const ended = await run(shop, "--max-cost", "0.015", "--json");
    expect(ended.code).toBe(5);
    const answer = answerOf(ended);
    expect(answer).toMatchObject({
      ended: "paused",
      limit: { scope: "run", kind: "cost", limit: 0.015, used: 0.02 },
    });
    expect(answer.because).toContain("this run has used $0.02 of $0.02");
    expect(shop.steps()).toEqual(["step-1 completed", "step-2 completed", "step-3 pending"]);
    const again = await call(shop, "resume", "--json");
    expect([again.code, shop.starts("step-3")]).toEqual([5, 0]);
    const words = (answer.resume_with as string).split(" ").slice(1);
    expect(words).toContain("--max-cost");
    expect(answerOf(await call(shop, ...words, "--json")).ended).toBe("all_completed");
  });

  it("of a step pauses between its attempts and keeps its claim and files", async () => {
    const shop = shopOfTwo(
      {
        "step-1": [
          [...HALF, { tick: "all" }],
          [{ write: "ok.txt" }, ...GOOD],
        ],
      },
      '[limits]\nstep_cost = 0.01\n[verify]\ncommand = ["test", "-e", "ok.txt"]\n',
    );
    const answer = answerOf(await run(shop, "--json"));
    expect(answer).toMatchObject({ ended: "paused", limit: { scope: "step", kind: "cost" } });
    expect(shop.starts("step-1")).toBe(1);
    shop.repo.write(
      "pawl.toml",
      readFileSync(`${shop.repo.path}/pawl.toml`, "utf8").replace("0.01\n", "1\n"),
    );
    expect(answerOf(await call(shop, "resume", "--json")).ended).toBe("all_completed");
    expect(shop.repo.git("show", "pawl/plan:half.txt")).toBe("by the first");
  });

  it("is refused where it is no amount", async () => {
    const shop = shopOfTwo({});
    for (const [option, value] of [
      ["--max-cost", "-5"],
      ["--max-cost", "free"],
      ["--max-minutes", "0"],
    ] as const)
      // oxfmt-ignore
      expect((await run(shop, `${option}=${value}`)).code).toBe(2);
    shop.repo.write("pawl.toml", "[limits]\ncost = -1\n");
    const ended = await run(shop, "--agent", "claude");
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain("limits.cost: must be a number above 0");
  });
});

describe("an agent that does nothing", () => {
  it("is interrupted, resumed once in its conversation, then its step is blocked", async () => {
    const shop = shopOfTwo({ "step-1": [[{ hang: true }]] }, '[limits]\nsilence = "1s"\n', [
      { number: "1", tasks: ["a"] },
      { number: "2", tasks: ["b"] },
    ]);
    const ended = await run(shop);
    expect(ended.code).toBe(5);
    expect(started(shop)).toEqual(["step-1 claude silent", "step-1 claude silent", "step-2 claude finished"]);
    expect(ended.stderr).toContain("claude printed nothing and changed no file for 1 s");
    expect(factsOf(shop, "step-1", 2).argv).toContain("--resume");
    expect(shop.steps()).toEqual(["step-1 blocked", "step-2 completed"]);
    expect(shop.query("select number from attempts where anchor = 'step-1'")).toEqual([]);
  });

  it("fails at once on three steps in a row, and the run ends", async () => {
    const free = ["1", "2", "3", "4", "5"].map((number) => ({ number, tasks: ["a"] }));
    const shop = shopOfTwo({}, "", free);
    writeFileSync(shop.path("script.json"), JSON.stringify({ runs: [[{ fail: "no such model" }]] }));
    const answer = answerOf(await run(shop, "--json"));
    expect(answer.ended).toBe("halted");
    expect(answer.because).toContain("step-1, step-2, step-3");
    expect(shop.starts("step-4")).toBe(0);
  });
});
