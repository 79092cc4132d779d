import { rmSync } from "node:fs";
import { join } from "node:path";
import { openPawl } from "../../src/index.ts";
import { planText } from "../../test/support/plans.ts";
import type { TestRepository } from "../../test/support/repository.ts";
import type { Benchmark, Line } from "../benchmark.ts";
import { longPlan } from "../long-plan.ts";
import { byTurns, median, timed } from "../samples.ts";
import { bareNode, env, inRepository, pawl } from "../workbench.ts";

/** Giving a plan state: the command on a plan of usual size, and whether its time grows faster than the plan. */
export const init: Benchmark = {
  name: "init",
  about: "state init: a plan of 75 KB as a command, and large plans in one process",
  run: async ({ quick, seed }) => [
    ...(await inRepository((repository) => asCommand(repository, quick ? 2 : 40, seed))),
    ...(await inRepository((repository) =>
      growth(repository, quick ? 1 : 7, quick ? [20, 100] : [1000, 5000, 10_000]),
    )),
  ],
};

async function asCommand(repository: TestRepository, rounds: number, seed: number): Promise<readonly Line[]> {
  const { path } = repository;
  for (let round = 0; round < rounds; round += 1) repository.write(nameOf(round), longPlan(seed + round));
  repository.write("first.md", longPlan(seed + rounds));
  const samples = await byTurns(rounds, {
    "node -e 0": () => bareNode(path),
    "state init, first plan of a repository": () => {
      forget(repository);
      return pawl(path, "state", "init", "first.md", "--json");
    },
    "state init, one more plan": (round) => pawl(path, "state", "init", nameOf(round), "--json"),
  });
  const base = median(samples["node -e 0"]);
  return Object.entries(samples).map(([what, times]) => ({
    what,
    figures: { "p50 ms": median(times), ratio: median(times) / base },
    ...(what.startsWith("state") ? { goal: { figures: ["ratio"], most: 3 } } : {}),
  }));
}

const nameOf = (plan: number): string => `plan-${plan}.md`;

const forget = (repository: TestRepository): void =>
  rmSync(join(repository.path, ".git/pawl"), { recursive: true, force: true });

async function growth(
  repository: TestRepository,
  rounds: number,
  sizes: readonly number[],
): Promise<readonly Line[]> {
  for (const size of sizes) repository.write(`${size}.md`, largePlan(size));
  const once = (size: number) => async () => {
    forget(repository);
    const library = await openPawl({ cwd: repository.path, env });
    const tookMs = await timed(() => library.init({ plan: `${size}.md` }));
    await library.close();
    return tookMs;
  };
  const samples = await byTurns(rounds, Object.fromEntries(sizes.map((size) => [size, once(size)])));
  const perStep = (size: number) => (median(samples[size]!) * 1000) / size;
  const [smallest = 1, ...larger] = sizes;
  const lineOf = (size: number) => ({
    what: `${size} steps, in one process`,
    figures: { "p50 ms": median(samples[size]!), "µs/step": perStep(size) },
  });
  return [
    lineOf(smallest),
    ...larger.map((size) => {
      const line = lineOf(size);
      const figures = { ...line.figures, ratio: perStep(size) / perStep(smallest) };
      return { ...line, figures, goal: { figures: ["ratio"], most: 1.3 } };
    }),
  ];
}

/** Each step waits for the one before and has four items. */
export const largePlan = (steps: number): string =>
  planText(
    Array.from({ length: steps }, (_, index) => ({
      number: String(index + 1),
      title: `Change part ${index + 1} of the system`,
      dependsOn: index === 0 ? [] : [`step-${index}`],
      tasks: ["change the code where it is needed", "say in the documentation what changed"],
      tests: ["the tests of this part pass"],
      checkpoints: ["everything else still works"],
    })),
  );
