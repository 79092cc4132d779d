import { createRequire, syncBuiltinESMExports } from "node:module";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openPawl } from "../../src/index.ts";
import { flatPlan } from "../../test/support/plans.ts";
import type { TestRepository } from "../../test/support/repository.ts";
import type { Benchmark, Line } from "../benchmark.ts";
import { median } from "../samples.ts";
import { env, inRepository } from "../workbench.ts";

/**
 * What it costs to have a step's work on the disk before the step is completed.
 *
 * Measured inside one run, as the share of a step's time that flushes take: those of this process, and the program that
 * flushes a file system. What git and the database flush themselves is not among them. The agent's time is taken off.
 */
export const flush: Benchmark = {
  name: "flush",
  about: "flushes in a step of a run, as a share of its time without the agent's",
  run: async ({ quick }) => [
    await inRepository((repository) => flushing(repository, { files: 50, steps: quick ? 2 : 6 })),
    await inRepository((repository) =>
      flushing(repository, { files: quick ? 200 : 20_000, steps: quick ? 2 : 3 }),
    ),
  ],
};

interface Case {
  /** In the repository. */
  readonly files: number;
  readonly steps: number;
}

/** New files of each step. */
const WRITTEN = 50;

async function flushing(repository: TestRepository, { files, steps }: Case): Promise<Line> {
  for (let file = 0; file < files; file += 1) put(repository.path, `files/${file % 100}/${file}`);
  repository.write("plan.md", flatPlan(steps));
  // So many loose objects would have git collect them in the background, beside what is measured.
  repository.git("config", "gc.auto", "0");
  repository.git("add", "-A");
  repository.git("commit", "-q", "-m", "files");
  const pawl = await openPawl({ cwd: repository.path, env });
  const times: { atMs: number; flushMs: number; agentMs: number }[] = [];
  const watch = watchFlushes();
  const mark = () =>
    times.push({ atMs: performance.now(), flushMs: watch.flushMs(), agentMs: watch.agentMs() });
  try {
    await pawl.run({
      plan: "plan.md",
      argv: ["sh", "-c", AGENT, "agent", String(WRITTEN)],
      onEvent: ({ event }) => event === "claimed" && mark(),
    });
    mark();
  } finally {
    watch.stop();
    await pawl.close();
  }
  const per = times.slice(1).map((now, index) => {
    const before = times[index]!;
    const flushMs = now.flushMs - before.flushMs;
    return { flushMs, stepMs: now.atMs - before.atMs - (now.agentMs - before.agentMs) };
  });
  const share = median(per.map(({ flushMs, stepMs }) => flushMs / stepMs));
  return {
    what: `${WRITTEN} new files, ${files} in the repository`,
    figures: {
      "step p50 ms": median(per.map(({ stepMs }) => stepMs)),
      "flushes p50 ms": median(per.map(({ flushMs }) => flushMs)),
      share,
    },
    goal: { figures: ["share"], most: 0.15 },
  };
}

const AGENT = `
  mkdir -p "$PAWL_STEP"
  i=0; while [ $i -lt $1 ]; do echo "$PAWL_STEP $i" > "$PAWL_STEP/$i"; i=$((i+1)); done`;

function put(root: string, name: string): void {
  const path = join(root, name);
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, `${name}\n`.repeat(20));
}

type AnyFunction = (this: unknown, ...args: unknown[]) => unknown;

/** Adds up, from here on, how long this process flushes, and how long agents run. */
function watchFlushes() {
  const require = createRequire(import.meta.url);
  const fs = require("node:fs") as Record<string, AnyFunction>;
  const child = require("node:child_process") as Record<string, AnyFunction>;
  const [fsyncSync, spawn] = [fs["fsyncSync"]!, child["spawn"]!];
  const sums = { flush: 0, agent: 0 };
  fs["fsyncSync"] = function timed(...args) {
    const start = performance.now();
    try {
      return fsyncSync.apply(this, args);
    } finally {
      sums.flush += performance.now() - start;
    }
  };
  child["spawn"] = function timed(...args) {
    const kind = ({ sync: "flush", sh: "agent" } as const)[String(args[0])];
    const start = performance.now();
    const started = spawn.apply(this, args) as { once: (event: string, listener: () => void) => void };
    if (kind !== undefined) started.once("exit", () => (sums[kind] += performance.now() - start));
    return started;
  };
  syncBuiltinESMExports();
  return {
    flushMs: () => sums.flush,
    agentMs: () => sums.agent,
    stop() {
      fs["fsyncSync"] = fsyncSync;
      child["spawn"] = spawn;
      syncBuiltinESMExports();
    },
  };
}
