import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { openPawl } from "../../src/index.ts";
import { flatPlan } from "../../test/support/plans.ts";
import type { Benchmark, Line } from "../benchmark.ts";
import type { Outcome } from "../contender.ts";
import { median, percentile } from "../samples.ts";
import { env, inRepository } from "../workbench.ts";

const CONTENDER = fileURLToPath(new URL("contender.js", import.meta.url));
const PLAN = "plan.md";

/** Many processes, each in a worktree of its own, take the steps of one plan as fast as they can; one, eight and 64 by turns. */
export const contention: Benchmark = {
  name: "contention",
  about: "processes that claim, start and complete the steps of one plan at the same time",
  run: async ({ quick }) => {
    const counts = quick ? [1, 2] : [1, 8, 64];
    const races = new Map<number, Race[]>(counts.map((rivals) => [rivals, []]));
    for (let round = 0; round < (quick ? 1 : 3); round += 1)
      for (const rivals of counts) races.get(rivals)!.push(await race(rivals, quick ? 40 : 1000));
    const rateOf = (rivals: number) => median(races.get(rivals)!.map(({ rate }) => rate));
    return counts.flatMap((rivals) => lines(rivals, races.get(rivals)!, rateOf(rivals), rateOf(1)));
  },
};

interface Race {
  /** Milliseconds of each claim. */
  readonly claims: readonly number[];
  readonly rate: number;
  readonly errors: number;
}

function lines(rivals: number, races: readonly Race[], rate: number, alone: number): readonly Line[] {
  const claims = races.flatMap((one) => one.claims);
  const figures = {
    "p50 ms": median(claims),
    "p99 ms": percentile(claims, 0.99),
    "max ms": Math.max(...claims),
    "cycles/s": rate,
    ratio: rate / alone,
    errors: races.reduce((sum, { errors }) => sum + errors, 0),
  };
  const what = `${rivals} ${rivals === 1 ? "process" : "processes"}`;
  const safe: Line = { what, figures, goal: { figures: ["errors"], most: 0 } };
  if (rivals !== 64) return [safe];
  return [
    safe,
    {
      what: `${what}: as many cycles as one`,
      figures: { ratio: figures.ratio },
      goal: { figures: ["ratio"], least: 0.9 },
    },
    {
      what: `${what}: the slowest claims`,
      figures: { "p99 ms": figures["p99 ms"] },
      goal: { figures: ["p99 ms"], most: 300 },
    },
  ];
}

function race(rivals: number, steps: number): Promise<Race> {
  return inRepository(async (repository) => {
    repository.write(PLAN, flatPlan(steps));
    repository.git("add", "-A");
    repository.git("commit", "-q", "-m", "plan");
    const pawl = await openPawl({ cwd: repository.path, env });
    await pawl.init({ plan: PLAN });
    const children = Array.from({ length: rivals }, (_, index) => {
      const worktree = repository.addWorktree(`worker-${index}`);
      return fork(CONTENDER, [worktree, PLAN], { cwd: worktree, env: { ...env } });
    });
    await Promise.all(children.map(message));
    const start = performance.now();
    const outcomes = (await Promise.all(
      children.map((child) => {
        const answer = message(child);
        child.send("go");
        return answer;
      }),
    )) as readonly Outcome[];
    const tookMs = performance.now() - start;
    const { steps: views } = await pawl.show({ plan: PLAN });
    await pawl.close();
    const claims = outcomes.flatMap((outcome) => outcome.claims);
    const errors = outcomes.flatMap((outcome) => outcome.errors);
    if (errors.length > 0) console.error([...new Set(errors)].slice(0, 5).join("\n"));
    // A step that was handed out twice would have a higher number.
    const wrong = views.filter(({ status, claim }) => status !== "completed" || claim !== 1).length;
    return {
      claims,
      rate: (steps * 1000) / tookMs,
      errors: errors.length + wrong + Math.abs(claims.length - steps),
    };
  });
}

/** The next message of a child. A channel that closes without one breaks the benchmark. */
const message = (child: ChildProcess): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const closed = () => reject(new Error("A process ended before it answered."));
    child.once("disconnect", closed);
    child.once("message", (value) => {
      child.off("disconnect", closed);
      resolve(value);
    });
  });
