import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { compose } from "../../src/compose.ts";
import type { RunEvent } from "../../src/runs/work/run-event.ts";
import { pawlOn } from "../../src/api.ts";
import type { RunRequest } from "../../src/runs/run.ts";
import { cleanEnv } from "../support/repository.ts";
import { type Acts, AGENT, GOOD, type RunShop, runShop, THREE } from "../support/run-shop.ts";

/** Usage limits, with a clock of the test's own: waiting for hours takes no time, and everybody sees the same hour. */

const HOUR_MS = 3_600_000;
const SETTINGS = `agent = "limited"\n[agents.limited]\npreset = "claude"\nprogram = ${JSON.stringify(AGENT.slice(1))}\n`;

const FREE = [
  { number: "1", tasks: ["a"] },
  { number: "2", tasks: ["b"] },
  { number: "3", tasks: ["c"] },
];

function limitedShop(
  steps: Parameters<typeof runShop>[0],
  script: { readonly [step: string]: readonly Acts[] },
): RunShop {
  const shop = runShop(steps, SETTINGS);
  writeFileSync(shop.path("script.json"), JSON.stringify({ speak: "claude", runs: [GOOD], steps: script }));
  return shop;
}

/**
 * Runs in this process, under a clock that sleeping sets forward, as far as a pause lasts. Other sleeps, such as those of
 * the watch over a silent agent, take their time.
 */
async function runHere(shop: RunShop, request: RunRequest) {
  let aheadMs = 0;
  let pausedUntilMs = 0;
  const clock = { wallMs: () => Date.now() + aheadMs, uptimeMs: () => performance.now() };
  const env = cleanEnv(shop.env);
  const ports = await compose({ cwd: shop.repo.path, env, clock });
  const events: RunEvent[] = [];
  const onEvent = (event: RunEvent) => {
    events.push(event);
    if (event.event === "paused" && event.until !== undefined)
      pausedUntilMs = Math.max(pausedUntilMs, Date.parse(event.until));
  };
  const real = await ports.running();
  const running = async () => ({
    ...real,
    async sleep(ms: number, wake: AbortSignal) {
      const leftMs = pausedUntilMs - clock.wallMs();
      if (ms <= 1000 || leftMs <= 0) return real.sleep(Math.min(ms, 30_000), wake);
      aheadMs += Math.min(ms, leftMs);
      return real.sleep(0, wake);
    },
  });
  const pawl = pawlOn({ ...ports, running });
  try {
    const answer = await pawl.run({ plan: "plan.md", ...request, onEvent });
    return { answer, events, sleptMs: aheadMs };
  } finally {
    await pawl.close();
  }
}

const attempts = (shop: RunShop) => shop.query("select anchor, number from attempts order by anchor, number");

describe("a usage limit in the middle of a run", () => {
  it("is waited for with --wait, to the time that the agent named; no attempt is burned, and the conversation continues", async () => {
    const shop = limitedShop(THREE, {
      "step-2": [[{ write: "half.txt" }, { limit: { inSeconds: 7200 } }], GOOD],
    });
    const { answer, sleptMs, events } = await runHere(shop, { wait: true });
    expect(answer.ended).toBe("all_completed");
    expect(sleptMs).toBeGreaterThan(1.9 * HOUR_MS);
    expect(sleptMs).toBeLessThan(2.1 * HOUR_MS);
    expect(events.filter(({ event }) => event === "paused")).toHaveLength(1);
    expect(shop.commits()).toEqual(["step-1", "step-2", "step-3"]);
    expect(attempts(shop)).toEqual([
      { anchor: "step-1", number: 1 },
      { anchor: "step-2", number: 1 },
      { anchor: "step-3", number: 1 },
    ]);
    const argvOf = (run: number) =>
      (JSON.parse(readFileSync(shop.path(`script.json.step-2.${run}.json`), "utf8")) as { argv: string[] })
        .argv;
    const chosen = argvOf(1)[argvOf(1).indexOf("--session-id") + 1];
    expect(argvOf(2)[argvOf(2).indexOf("--resume") + 1]).toBe(chosen);
    expect(shop.repo.git("ls-tree", "-r", "--name-only", "pawl/plan")).toContain("half.txt");
  });

  it("is waited for by all workers of the agent, once", async () => {
    const shop = limitedShop(FREE, {
      "step-1": [[{ limit: { inSeconds: 7200 } }], GOOD],
      "step-2": [[{ limit: { inSeconds: 7200 } }], GOOD],
      "step-3": [
        [{ waitFor: "../../../../script.json.step-1.1.json" }, { limit: { inSeconds: 7200 } }],
        GOOD,
      ],
    });
    const { answer, sleptMs } = await runHere(shop, { wait: true, workers: 3 });
    expect(answer.ended).toBe("all_completed");
    // Each worker naps by itself on one clock: together no more than each of them once.
    expect(sleptMs).toBeLessThan(3 * 2.1 * HOUR_MS);
    expect(attempts(shop)).toHaveLength(3);
    expect(["step-1", "step-2", "step-3"].map((step) => shop.starts(step))).toEqual([2, 2, 2]);
  });

  it("without --wait ends every worker with the time and the command; no further agent is started", async () => {
    const shop = limitedShop(
      [...FREE, { number: "4", tasks: ["d"] }],
      Object.fromEntries(
        ["step-1", "step-2", "step-3", "step-4"].map((step) => [
          step,
          [
            step === "step-1"
              ? [{ limit: { inSeconds: 7200 } }]
              : [{ waitFor: "../../../../script.json.step-1.1.json" }, { pause: 500 }, ...GOOD],
          ],
        ]),
      ),
    );
    const { answer } = await runHere(shop, { workers: 2 });
    expect(answer).toMatchObject({ ended: "paused", resumeWith: expect.stringMatching(/^pawl resume s-/) });
    expect(Date.parse(answer.pausedUntil!)).toBeGreaterThan(Date.now() + 1.9 * HOUR_MS);
    expect(shop.starts("step-1")).toBe(1);
    // The other worker finished its step, and then claimed nothing.
    expect(shop.starts("step-3") + shop.starts("step-4")).toBe(0);
    expect(attempts(shop).filter(({ anchor }) => anchor === "step-1")).toEqual([]);
  });

  it("leaves no marker on its session once a later run superseded it", () => {
    const shop = limitedShop(THREE, { "step-1": [[{ limit: { inSeconds: 7200 } }], GOOD] });
    expect(shop.pawl("run", "plan.md").code).toBe(5);
    const listed = () => [
      shop.pawl("sessions", "list").stdout,
      shop.pawl("sessions", "list", "--json").stdout,
    ];
    expect(listed()[0]).toContain("⚠ interrupted");
    const { code, stderr } = shop.pawl("run", "plan.md", "--max-steps", "1");
    expect(code, stderr).toBe(0);
    const [words, json] = listed();
    expect(words).toMatch(/interrupted/);
    expect(words).not.toContain("⚠");
    expect(JSON.parse(json!).data.sessions).toMatchObject([{}, { status: "interrupted", resumable: false }]);
    expect(shop.pawl("worktree", "list").stdout).not.toContain("⚠");
    expect(shop.pawl("status").stdout).not.toContain("⚠");
  });

  it("is not waited for beyond --max-wait, however often it comes back", async () => {
    const shop = limitedShop([FREE[0]!], { "step-1": [[{ limit: { inSeconds: 1800 } }]] });
    const { answer, sleptMs } = await runHere(shop, { wait: true, maxWaitMs: 2 * HOUR_MS });
    expect(answer.ended).toBe("paused");
    expect(sleptMs).toBeLessThanOrEqual(2 * HOUR_MS);
    expect(shop.starts("step-1")).toBeGreaterThan(1);
    expect(attempts(shop)).toEqual([]);
  });

  it("begins a new count when a verifying agent answered in between", async () => {
    const judge = `[verify]\nagent = "judge"\n[agents.judge]\npreset = "claude"\nprogram = ${JSON.stringify(AGENT.slice(1))}\n`;
    const shop = runShop(FREE.slice(0, 2), `${SETTINGS}${judge}`);
    // By the agents' own clock, which no sleep sets forward: one and a half hours each.
    const limited = (seconds: number) => [
      GOOD,
      [{ limit: { inSeconds: seconds } }],
      [{ say: "Verdict: pass" }],
    ];
    const script = { speak: "claude", steps: { "step-1": limited(5400), "step-2": limited(10_800) } };
    writeFileSync(shop.path("script.json"), JSON.stringify(script));
    const { answer, sleptMs } = await runHere(shop, { wait: true, maxWaitMs: 2 * HOUR_MS });
    expect(answer.ended).toBe("all_completed");
    expect(sleptMs).toBeGreaterThan(2.9 * HOUR_MS);
  });
});

it("a refused key is for a person: the run ends at once, with --wait too, and says so", async () => {
  const shop = limitedShop([FREE[0]!], { "step-1": [[{ unauthorised: true }], GOOD] });
  const { code, stdout } = await shop.start("run", "--wait").ended;
  expect(code).toBe(5);
  expect(stdout).toContain("Invalid API key");
  expect(stdout).toContain("resume with: pawl resume");
  expect(attempts(shop)).toEqual([]);
  expect(shop.pawl("resume").code).toBe(0);
  expect(shop.commits()).toEqual(["step-1"]);
});
