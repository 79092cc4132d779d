import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { gitSnapshots } from "../../src/platform/git/snapshots/git-snapshots.ts";
import { systemClock } from "../../src/platform/os/system-clock.ts";
import type { Benchmark } from "../benchmark.ts";
import { byTurns, median, percentile, timed } from "../samples.ts";
import { env, inRepository } from "../workbench.ts";

/** Keeping ten changes in a tree of ten thousand files, next to git only looking at them. */
export const snapshot: Benchmark = {
  name: "snapshot",
  about: "a snapshot of 10 changes in 10,000 files, in a process that runs already",
  run: ({ quick }) =>
    inRepository(async (repository) => {
      const files = quick ? 200 : 10_000;
      for (let file = 0; file < files; file += 1)
        repository.write(`d${file % 100}/f${file}`, `file ${file}\n`.repeat(20));
      repository.git("add", "-A");
      repository.git("commit", "-q", "-m", "files");
      repository.git("status");
      for (let change = 0; change < 10; change += 1)
        repository.write(change < 5 ? `d${change}/f${change}` : `new-${change}`, "changed\n");
      const { path } = repository;
      const snapshots = gitSnapshots({
        commonDir: join(path, ".git"),
        env,
        clock: systemClock,
        scratchDir: join(path, ".git/pawl/scratch"),
        ignored: false,
      });
      const samples = await byTurns(quick ? 3 : 31, {
        "git status": () => timed(() => spawnSync("git", ["status", "--porcelain"], { cwd: path, env })),
        snapshot: () => timed(() => snapshots.take({ path, id: "main" }, "benchmark")),
      });
      const base = median(samples["git status"]);
      return Object.entries(samples).map(([what, times]) => ({
        what,
        figures: { "p50 ms": median(times), "p90 ms": percentile(times, 0.9), ratio: median(times) / base },
        ...(what === "snapshot" ? { goal: { figures: ["ratio"], most: 2 } } : {}),
      }));
    }),
};
