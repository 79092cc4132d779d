import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { compose } from "../../src/compose.ts";
import { beginCheckpoint, endCheckpoint } from "../../src/runs/work/checkpoint.ts";
import type { Worker } from "../../src/runs/work/worker.ts";
import { openPawl } from "../../src/index.ts";
import type { SupervisedEnd } from "../../src/platform/ports/supervisor.ts";
import { flatPlan } from "../../test/support/plans.ts";
import type { TestRepository } from "../../test/support/repository.ts";
import type { Benchmark, Line } from "../benchmark.ts";
import { byTurns, median, percentile, timed } from "../samples.ts";
import { coveredMs, watchChildren } from "../watch-children.ts";
import { bareNode, env, inRepository, PAWL } from "../workbench.ts";

/**
 * What a run costs beside the work itself.
 *
 * A step's own time is what is left of its duration when every moment is taken away in which a process of git's or of
 * the agent's was there. Agents are plain programs, so that the figures are about Pawl and not about them.
 */
export const run: Benchmark = {
  name: "run",
  about: "a run with agents that only wait: its own time, checkpoints, resume, and how busy the agents are",
  run: async ({ quick }) => [
    ...(await inRepository((repository) => perStep(repository, quick ? 3 : 30))),
    await inRepository((repository) => checkpoints(repository, quick ? 5 : 300)),
    ...(await inRepository((repository) => resumes(repository, quick ? 2 : 20))),
    await inRepository((repository) =>
      busyness(repository, quick ? { rounds: 1, seconds: 1 } : { rounds: 3, seconds: 10 }),
    ),
  ],
};

function planted(repository: TestRepository, steps: number): void {
  repository.write("plan.md", flatPlan(steps));
  repository.git("add", "-A");
  repository.git("commit", "-q", "-m", "plan");
}

async function perStep(repository: TestRepository, steps: number): Promise<readonly Line[]> {
  planted(repository, steps);
  const pawl = await openPawl({ cwd: repository.path, env });
  const marks: { atMs: number; cpuMs: number }[] = [];
  const mark = () => {
    const { user, system } = process.cpuUsage();
    marks.push({ atMs: performance.now(), cpuMs: (user + system) / 1000 });
  };
  const { spans } = await watchChildren(() =>
    pawl.run({
      plan: "plan.md",
      argv: ["sh", "-c", 'echo "$PAWL_STEP" > "$PAWL_STEP.txt"'],
      onEvent: ({ event }) => event === "claimed" && mark(),
    }),
  );
  mark();
  await pawl.close();
  const own: number[] = [];
  const cpu: number[] = [];
  for (const [index, { atMs, cpuMs }] of marks.slice(1).entries()) {
    const from = marks[index]!;
    const within = spans
      .filter(({ startMs, endMs }) => endMs > from.atMs && startMs < atMs)
      .map((span) => ({
        ...span,
        startMs: Math.max(span.startMs, from.atMs),
        endMs: Math.min(span.endMs, atMs),
      }));
    own.push(atMs - from.atMs - coveredMs(within));
    cpu.push(cpuMs - from.cpuMs);
  }
  const gits = spans.filter(({ program }) => program === "git").length / steps;
  return [
    {
      what: "own time of a step",
      figures: { "p50 ms": median(own), "p90 ms": percentile(own, 0.9) },
      goal: { figures: ["p50 ms"], most: 60 },
    },
    {
      what: "own processor time of a step",
      figures: { "p50 ms": median(cpu), "p90 ms": percentile(cpu, 0.9) },
    },
    { what: "calls of git for a step", figures: { count: gits } },
  ];
}

const ENDED: SupervisedEnd = {
  exitCode: 0,
  signal: undefined,
  stopped: undefined,
  verdict: { outcome: "finished" },
  report: {
    sessionId: undefined,
    result: undefined,
    usage: { inputTokens: 0, outputTokens: 0, costUsd: 0 },
    answer: "",
    closing: "",
  },
  startedAt: "2026-01-01T00:00:00.000Z",
  endedAt: "2026-01-01T00:00:00.000Z",
  durationMs: 1,
  lastLines: Array.from({ length: 50 }, (_, line) => `line ${line} of what the agent said`),
  log: { path: "", bytes: 0, droppedBytes: 0, problem: undefined },
  swept: [],
  leftRunning: [],
};

/** Both halves of a checkpoint, durable, without the look at git's tree that each is about. */
async function checkpoints(repository: TestRepository, rounds: number): Promise<Line> {
  planted(repository, 1);
  const ports = await compose({ cwd: repository.path, env });
  const { openSession } = await import("../../src/sessions/open-session.ts");
  const { save } = await import("../../src/plans/save.ts");
  await save(ports, { plan: "plan.md" });
  const worktree = ports.repository.worktree(repository.path);
  const session = await openSession(ports, { plan: "plan.md", worktree });
  const tree = "0".repeat(40);
  const commits = async () => ({
    ...(await ports.commits()),
    head: () => Promise.resolve(undefined),
    tree: () => Promise.resolve(tree),
  });
  let number = 0;
  const worker = {
    ports: { ...ports, commits },
    session,
    nextCheckpoint: () => (number += 1),
  } as unknown as Worker;
  const begin = () =>
    beginCheckpoint(worker, {
      command: { name: "implement", type: "implement_spec" },
      place: { iteration: 1, position: 0, specId: undefined },
      held: undefined,
      agent: "command",
      agentSession: undefined,
      log: String,
    });
  const end = () =>
    endCheckpoint(worker, undefined, number, {
      end: ENDED,
      files: ["a.ts", "b.ts"],
      tree,
      specFound: undefined,
      snapshotRef: undefined,
    });
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) times.push(await timed(begin), await timed(end));
  await session.end("completed");
  await (await ports.database()).close();
  return {
    what: "a checkpoint",
    figures: { "p50 ms": median(times), "p90 ms": percentile(times, 0.9) },
    goal: { figures: ["p50 ms"], most: 5 },
  };
}

/** From the start of `pawl resume` until the agent is there; interrupted again each time. */
async function resumes(repository: TestRepository, rounds: number): Promise<readonly Line[]> {
  planted(repository, 1);
  const stamps = join(dirname(repository.path), "stamps");
  const agent = join(dirname(repository.path), "agent.sh");
  writeFileSync(agent, `#!/bin/sh\ndate +%s%N >> ${stamps}\nexec sleep 1000\n`);
  chmodSync(agent, 0o755);
  let starts = 0;
  const untilStarted = async (): Promise<number> => {
    starts += 1;
    for (;;) {
      const lines = existsSync(stamps) ? readFileSync(stamps, "utf8").split("\n").slice(0, -1) : [];
      if (lines.length >= starts) return Number(BigInt(lines[starts - 1]!) / 1000n) / 1000;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };
  const interrupted = async (...args: readonly string[]): Promise<number> => {
    const began = performance.timeOrigin + performance.now();
    const child: ChildProcess = spawn(process.execPath, [PAWL, ...args], {
      cwd: repository.path,
      env,
      stdio: "ignore",
    });
    const ended = new Promise((resolve) => {
      child.once("close", resolve);
    });
    const tookMs = (await untilStarted()) - began;
    child.kill("SIGINT");
    await ended;
    return tookMs;
  };
  await interrupted("run", "plan.md", "--", agent);
  const samples = await byTurns(rounds, {
    "node -e 0": () => bareNode(repository.path),
    "pawl resume": () => interrupted("resume"),
  });
  const node = median(samples["node -e 0"]);
  const over = samples["pawl resume"].map((ms) => ms - node);
  return [
    { what: "node -e 0", figures: { "p50 ms": node } },
    {
      what: "resume to the agent's start, over that",
      figures: { "p50 ms": median(over), "p90 ms": percentile(over, 0.9) },
      goal: { figures: ["p50 ms"], most: 300 },
    },
  ];
}

const WORKERS = 8;

/** Of the time from the first agent's start to the last one's end, how much each worker had an agent at work. */
async function busyness(
  repository: TestRepository,
  { rounds, seconds }: { readonly rounds: number; readonly seconds: number },
): Promise<Line> {
  planted(repository, WORKERS * rounds);
  const pawl = await openPawl({ cwd: repository.path, env });
  const { spans } = await watchChildren(() =>
    pawl.run({
      plan: "plan.md",
      workers: WORKERS,
      argv: ["sh", "-c", `echo x > "$PAWL_STEP.txt"; exec sleep ${seconds}`],
    }),
  );
  await pawl.close();
  const agents = spans.filter(({ program }) => program === "sh");
  const busyMs = agents.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0);
  const first = Math.min(...agents.map(({ startMs }) => startMs));
  const last = Math.max(...agents.map(({ endMs }) => endMs));
  return {
    what: `${WORKERS} workers, agents of ${seconds} s: busy`,
    figures: { "%": (100 * busyMs) / (WORKERS * (last - first)) },
    goal: { figures: ["%"], least: 90 },
  };
}
