import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startHeartbeat } from "../../src/platform/os/heartbeat/start-heartbeat.ts";
import { stepHeartbeats } from "../../src/platform/os/heartbeat/step-heartbeats.ts";
import type { ProcessRecord } from "../../src/platform/ports/supervisor.ts";
import { type ChildPrograms, childPrograms } from "../support/child-program.ts";
import { pawl, pawlJson } from "../support/cli.ts";
import { type Conversation, converse } from "../support/lines.ts";
import { SMALL_PLAN } from "../support/plans.ts";
import { cleanEnv, testRepository, type TestRepository } from "../support/repository.ts";
import { lives, SCRIPTED_AGENT, type Workplace, workplace } from "../support/supervised.ts";
import { until } from "../support/until.ts";

const LEASE_MS = 900;

let programs: ChildPrograms<"busy-runner" | "counting-heart">;
let place: Workplace;
const runners: Conversation[] = [];
beforeAll(async () => {
  programs = await childPrograms("busy-runner", "counting-heart");
});
afterAll(() => programs.remove());
beforeEach(() => {
  place = workplace();
});
afterEach(async () => {
  for (const runner of runners.splice(0)) await runner.end();
  await place.remove();
});

/** Starts a runner with a scripted agent that hangs, and waits until it says that it blocks. */
async function runner(
  heart: object | undefined,
  acts: readonly object[] = [],
  blockMs = 4 * LEASE_MS,
): Promise<{ readonly talk: Conversation; readonly record: ProcessRecord }> {
  const script = place.path("script.json");
  writeFileSync(script, JSON.stringify({ runs: [[...acts, { say: "ready" }, { hang: true }]] }));
  const talk = converse(
    programs.start("busy-runner", {
      agent: [process.execPath, SCRIPTED_AGENT],
      script,
      folder: place.folder,
      session: place.session,
      blockMs,
      heart: heart && {
        threadFile: programs.path("counting-heart"),
        leaseMs: LEASE_MS,
        data: { file: place.path("beats"), ...heart },
      },
    }),
  );
  runners.push(talk);
  const { record } = await talk.next<{ record: ProcessRecord }>();
  return { talk, record };
}

const beats = () =>
  readFileSync(place.path("beats"), "utf8")
    .trim()
    .split("\n")
    .map((line) => Number(line));

describe("a heart", () => {
  it("beats at a third of the lease while the main thread is blocked for four leases", async () => {
    const { talk, record } = await runner({});
    const from = Date.now();
    expect(await talk.next()).toEqual({ agentLived: true, isLost: false });
    const during = beats().filter((at) => at >= from);
    const gaps = during.slice(1).map((at, index) => at - during[index]!);
    expect(during.length).toBeGreaterThanOrEqual(6);
    expect(Math.max(...gaps)).toBeLessThan(LEASE_MS);
    expect(await talk.next()).toMatchObject({ verdict: { outcome: "killed", by: "supervisor" } });
    expect(lives(record.pid)).toBe(false);
  });

  it("ends the agent when the claim is lost, while the main thread is still blocked", async () => {
    const acts = [{ ignore: ["SIGTERM"] }, { daemon: "daemon.pid" }, { child: "child.pid" }];
    const { talk, record } = await runner({ loseAt: 3 }, acts, 8 * LEASE_MS);
    const pids = [record.pid, Number(place.read("daemon.pid")), Number(place.read("child.pid"))];
    const from = performance.now();
    await until(() => !pids.some(lives));
    expect(performance.now() - from).toBeLessThan(6 * LEASE_MS);
    expect(await talk.next()).toEqual({ agentLived: false, isLost: true });
    expect(await talk.next()).toEqual({
      lost: { because: "another worker has it", left: [] },
      stopped: "lease_lost",
      verdict: { outcome: "killed", signal: "SIGKILL", by: "supervisor" },
    });
  });

  it("that breaks counts as a lost claim", async () => {
    const heart = startHeartbeat({
      threadFile: programs.path("counting-heart"),
      leaseMs: LEASE_MS,
      data: { file: place.path("beats"), breakAt: 1 },
    });
    expect(await heart.lost).toEqual({ because: "the heartbeat failed: broken", left: [] });
    expect(heart.isLost()).toBe(true);
    await heart.stop();
  });

  it("says so when a command comes too late to be watched", async () => {
    const heart = startHeartbeat({
      threadFile: programs.path("counting-heart"),
      leaseMs: LEASE_MS,
      data: { file: place.path("beats"), loseAt: 2 },
    });
    const first = await place.start("claude", [{ hang: true }]);
    expect(heart.watch(first.record)).toBe(true);
    await heart.lost;
    expect(lives(first.record.pid)).toBe(false);
    const late = await place.start("claude", [{ hang: true }]);
    expect(heart.watch(late.record)).toBe(false);
    expect(lives(late.record.pid)).toBe(true);
    await late.stop("lease_lost");
    await Promise.all([first.ended, late.ended, heart.stop()]);
  });
});

describe("several claims of one process", () => {
  /** Long enough for a busy machine to end an agent meanwhile. */
  const LONG_MS = 10 * LEASE_MS;
  const heartOf = (file: string, more: object = {}, leaseMs = LONG_MS) =>
    startHeartbeat({
      threadFile: programs.path("counting-heart"),
      leaseMs,
      data: { file: place.path(file), ...more },
    });
  const beatsIn = (file: string) =>
    existsSync(place.path(file)) ? readFileSync(place.path(file), "utf8").trim().split("\n").length : 0;

  it("are kept by one thread, and each is lost and stopped by itself", async () => {
    const [lost, stopped, kept] = [
      heartOf("lost", { loseAt: 2 }, LEASE_MS),
      heartOf("stopped"),
      heartOf("kept"),
    ];
    const agent = await place.start("claude", [{ hang: true }]);
    expect(lost.watch(agent.record)).toBe(true);
    await lost.lost;
    expect(lives(agent.record.pid)).toBe(false);
    expect([lost.isLost(), stopped.isLost(), kept.isLost()]).toEqual([true, false, false]);
    await stopped.stop();
    const [before, more] = [beatsIn("stopped"), beatsIn("kept") + 1];
    await until(() => beatsIn("kept") >= more);
    expect(beatsIn("stopped")).toBe(before);
    await Promise.all([agent.ended, lost.stop(), kept.stop()]);
  });

  it("are all lost when their thread breaks, and the next one gets another thread", async () => {
    const [one, two] = [heartOf("one", { breakAt: 1 }, LEASE_MS), heartOf("two")];
    await Promise.all([one.lost, two.lost]);
    expect([one.isLost(), two.isLost()]).toEqual([true, true]);
    await Promise.all([one.stop(), two.stop()]);
    const next = heartOf("next", {}, LEASE_MS);
    await until(() => existsSync(place.path("next")));
    expect(next.isLost()).toBe(false);
    await next.stop();
  });
});

describe("an agent whose runner was killed", () => {
  it("keeps running, is found by its record, and is ended by it", async () => {
    const { talk, record } = await runner(undefined, [{ daemon: "daemon.pid" }], 600_000);
    talk.process.kill("SIGKILL");
    await talk.end();
    const daemon = Number(place.read("daemon.pid"));
    expect([record.pid, daemon].map(lives)).toEqual([true, true]);
    expect(place.supervisor.isStillRunning(record)).toBe(true);
    const { stopped, left } = await place.supervisor.stopLeftOver(record, { graceMs: 1000 });
    expect(left).toEqual([]);
    expect(new Set(stopped.map(({ pid }) => pid))).toEqual(new Set([record.pid, daemon]));
    expect([record.pid, daemon].map(lives)).toEqual([false, false]);
    expect(place.supervisor.isStillRunning(record)).toBe(false);
  });

  it("is found by its session after the agent itself was killed, too", async () => {
    const { talk, record } = await runner(undefined, [{ daemon: "daemon.pid" }], 600_000);
    talk.process.kill("SIGKILL");
    await talk.end();
    process.kill(record.pid, "SIGKILL");
    await until(() => !lives(record.pid));
    expect(place.supervisor.isStillRunning(record)).toBe(true);
    await place.supervisor.stopLeftOver(record, { graceMs: 1000 });
    expect(lives(Number(place.read("daemon.pid")))).toBe(false);
  });
});

describe("the heart of a claimed step, as it is built", () => {
  let repository: TestRepository;
  beforeEach(() => {
    repository = testRepository();
    repository.write("plan.md", SMALL_PLAN);
    pawl({ cwd: repository.path }, "state", "init", "plan.md");
  });
  afterEach(() => repository.remove());

  const verb = (name: string, ...args: string[]) =>
    pawlJson({ cwd: repository.path }, "state", name, "plan.md", ...args);
  function claim() {
    const { data } = verb("claim", "--worktree", ".", "--lease-duration", "3");
    return {
      plan: "plan.md",
      step: String(data["anchor"]),
      worktree: repository.path,
      claim: Number(data["claim"]),
      leaseSeconds: 3,
      graceMs: 500,
    };
  }
  const leaseOf = (step: string): number => {
    const { data } = verb("show");
    const found = data["plan"].steps.find(({ anchor }: { anchor: string }) => anchor === step);
    return Date.parse(found.lease_expires_at);
  };

  it("renews the lease while the main thread is blocked, and stops on request", async () => {
    const claimed = claim();
    const before = leaseOf(claimed.step);
    const heart = stepHeartbeats({ cwd: repository.path, env: cleanEnv() }).start(claimed);
    // Longer than the lease, and nothing but the thread can beat meanwhile.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 4500);
    expect(leaseOf(claimed.step) - before).toBeGreaterThan(2500);
    expect(heart.isLost()).toBe(false);
    await heart.stop();
  });

  it("loses the claim when another worker takes the step, and ends the agent", async () => {
    const claimed = claim();
    const agent = await place.start("claude", [{ say: "ready" }, { hang: true }]);
    const heart = stepHeartbeats({ cwd: repository.path, env: cleanEnv() }).start(claimed);
    heart.watch(agent.record);
    const other = repository.addWorktree("other");
    const { data } = verb("claim", "--worktree", other, "--step", claimed.step, "--force");
    expect(data).toMatchObject({ claimed: true, anchor: claimed.step });
    const { because, left } = await heart.lost;
    expect(because).toContain(claimed.step);
    expect([heart.isLost(), left, lives(agent.record.pid)]).toEqual([true, [], false]);
    await agent.ended;
  });

  it("ends quietly when the step is completed", async () => {
    const claimed = claim();
    const agent = await place.start("claude", [{ say: "ready" }, { hang: true }]);
    const heart = stepHeartbeats({ cwd: repository.path, env: cleanEnv() }).start(claimed);
    heart.watch(agent.record);
    verb("start", claimed.step, "--worktree", ".");
    verb("complete", claimed.step, "--worktree", ".", "--force", "for the test");
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2500);
    await heart.stop();
    expect([heart.isLost(), lives(agent.record.pid)]).toEqual([false, true]);
    await agent.stop("asked");
    await agent.ended;
  });
});
