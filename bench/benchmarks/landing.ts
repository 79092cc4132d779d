import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { plural } from "../../src/domain/index.ts";
import { openPawl } from "../../src/index.ts";
import { detachGit } from "../../src/platform/git/index.ts";
import { flatPlan } from "../../test/support/plans.ts";
import type { TestRepository } from "../../test/support/repository.ts";
import type { Benchmark, Line } from "../benchmark.ts";
import { env, inRepository } from "../workbench.ts";

/**
 * How much of what its workers could do a run lands, while all of them finish at the same time.
 *
 * If landing were free, each worker would take the time of its agent and of one check for a step. Every check beyond
 * one per step was done again because of what others landed.
 */
export const landing: Benchmark = {
  name: "landing",
  about: "workers whose steps land on one branch, each verified on top of the others",
  async run({ quick }) {
    // As `pawl run` does.
    detachGit();
    const lines: Line[] = [];
    for (const load of quick ? QUICK : LOADS)
      lines.push(...(await inRepository((repository) => landings(repository, load))));
    return lines;
  },
};

interface Load {
  readonly workers: number;
  readonly agentSeconds: number;
  readonly checkSeconds: number;
  readonly rounds: number;
  /** The share of free landing, in percent; undefined where only checks are counted. */
  readonly least?: number;
  /** Checks for each landed step. */
  readonly most: number;
}

const LOADS: readonly Load[] = [
  { workers: 8, agentSeconds: 10, checkSeconds: 1, rounds: 4, least: 85, most: 1.3 },
  { workers: 8, agentSeconds: 10, checkSeconds: 10, rounds: 3, least: 70, most: 2 },
  // Nothing lands in between.
  { workers: 1, agentSeconds: 0.1, checkSeconds: 0.1, rounds: 8, most: 1 },
];
const QUICK: readonly Load[] = [
  { workers: 8, agentSeconds: 0.2, checkSeconds: 0.1, rounds: 1, least: 0, most: 2 },
];

async function landings(
  repository: TestRepository,
  { workers, agentSeconds, checkSeconds, rounds, least, most }: Load,
): Promise<readonly Line[]> {
  const steps = workers * rounds;
  const count = join(dirname(repository.path), "checks");
  const check = ["sh", "-c", `echo >> '${count}'; exec sleep ${checkSeconds}`];
  repository.write("plan.md", flatPlan(steps));
  repository.write("pawl.toml", `[verify]\ncommand = ${JSON.stringify(check)}\n`);
  repository.git("add", "-A");
  repository.git("commit", "-q", "-m", "plan");
  const pawl = await openPawl({ cwd: repository.path, env });
  let began = 0;
  await pawl.run({
    plan: "plan.md",
    workers,
    argv: ["sh", "-c", `echo x > "$PAWL_STEP.txt"; exec sleep ${agentSeconds}`],
    onEvent({ event }) {
      if (event === "claimed" && began === 0) began = performance.now();
    },
  });
  const seconds = (performance.now() - began) / 1000;
  await pawl.close();
  const checks = existsSync(count) ? readFileSync(count, "utf8").length : 0;
  const what = `${plural(workers, "worker")}, agents of ${agentSeconds} s, a check of ${checkSeconds} s`;
  const counted: Line = {
    what: `${what}: checks`,
    figures: { "checks per step": checks / steps },
    goal: { figures: ["checks per step"], most },
  };
  if (least === undefined) return [counted];
  const figures = {
    "% of free landing": (100 * rounds * (agentSeconds + checkSeconds)) / seconds,
    "steps per minute": (60 * steps) / seconds,
  };
  return [{ what, figures, goal: { figures: ["% of free landing"], least } }, counted];
}
