import type { Benchmark } from "../benchmark.ts";
import { cli } from "./cli.ts";
import { commit } from "./commit.ts";
import { contention } from "./contention.ts";
import { cycle } from "./cycle.ts";
import { flat } from "./flat.ts";
import { flush } from "./flush.ts";
import { formats } from "./formats.ts";
import { init } from "./init.ts";
import { journal } from "./journal.ts";
import { landing } from "./landing.ts";
import { recover } from "./recover.ts";
import { run } from "./run.ts";
import { show } from "./show.ts";
import { snapshot } from "./snapshot.ts";
import { worktree } from "./worktree.ts";

/** In the order they run. */
export const BENCHMARKS: readonly Benchmark[] = [
  cli,
  cycle,
  flat,
  init,
  formats,
  show,
  recover,
  commit,
  snapshot,
  worktree,
  journal,
  contention,
  run,
  landing,
  flush,
];
