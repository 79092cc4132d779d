import { openPawl, type Pawl } from "../../src/index.ts";
import { loadDriver } from "../../src/store/sqlite/driver.ts";
import { flatPlan } from "../../test/support/plans.ts";
import type { TestRepository } from "../../test/support/repository.ts";
import type { Benchmark, Line } from "../benchmark.ts";
import { byTurns, median, percentile, timed } from "../samples.ts";
import { databaseOf, env, inRepository } from "../workbench.ts";

const PLAN = "plan.md";

/** Where a plan of any size can stand. The last step is free in all of them: a search in order would find it last. */
const SHAPES = {
  "all free": { others: "pending", wait: false },
  "all but one blocked": { others: "pending", wait: true },
  "all but one completed": { others: "completed", wait: false },
} as const;
type Shape = keyof typeof SHAPES;

/** Does a claim cost the same however large the plan? Asked of both sizes by turns, for three shapes of plan. */
export const flat: Benchmark = {
  name: "flat",
  about: "one claim (library) in a small and a huge plan",
  run: async ({ quick }) => {
    const sizes = quick ? ([100, 2000] as const) : ([1000, 1_000_000] as const);
    const lines: Line[] = [];
    for (const shape of Object.keys(SHAPES) as Shape[]) {
      lines.push(...(await compare(shape, sizes, quick ? 20 : 2000)));
    }
    return lines;
  },
};

function compare(
  shape: Shape,
  [small, large]: readonly [number, number],
  rounds: number,
): Promise<readonly Line[]> {
  return inRepository((few) =>
    inRepository(async (many) => {
      const [claimFew, claimMany] = [await claimer(few, small, shape), await claimer(many, large, shape)];
      await byTurns(20, { few: claimFew.once, many: claimMany.once });
      const samples = await byTurns(rounds, { few: claimFew.once, many: claimMany.once });
      await claimFew.close();
      await claimMany.close();
      const share = (of: number) => percentile(samples.many, of) / percentile(samples.few, of);
      return [
        { what: `${shape}, ${small} steps`, figures: figuresOf(samples.few) },
        {
          what: `${shape}, ${large} steps`,
          figures: { ...figuresOf(samples.many), ratio: share(0.5), "p99 ratio": share(0.99) },
          goal: { figure: "ratio", most: 2 },
        },
      ];
    }),
  );
}

const figuresOf = (times: readonly number[]) => ({
  "p50 ms": median(times),
  "p99 ms": percentile(times, 0.99),
});

interface Claimer {
  /** Milliseconds of one claim. What must happen before the next one is not on the clock. */
  readonly once: () => Promise<number>;
  readonly close: () => Promise<void>;
}

async function claimer(repository: TestRepository, steps: number, shape: Shape): Promise<Claimer> {
  const pawl = await bigPlan(repository, steps, shape);
  const worktree = repository.path;
  const claim = async () => {
    let step: string | null = null;
    const tookMs = await timed(async () => {
      step = (await pawl.claim({ plan: PLAN, worktree })).anchor;
    });
    if (step === null) throw new Error(`Nothing to claim: ${shape}.`);
    return { tookMs, who: { plan: PLAN, step, worktree } };
  };
  return {
    async once() {
      const { tookMs, who } = await claim();
      if (shape === "all free") {
        await pawl.start(who);
        await pawl.complete(who);
      } else {
        await pawl.release(who);
      }
      return tookMs;
    },
    close: () => pawl.close(),
  };
}

/**
 * A plan of any size, written past Pawl: a file may hold 50,000 steps at most, and reading it is not the question.
 * The file on disk is a small one; claims only compare its hash.
 */
async function bigPlan(repository: TestRepository, steps: number, shape: Shape): Promise<Pawl> {
  repository.write(PLAN, flatPlan(1));
  const pawl = await openPawl({ cwd: repository.path, env });
  await pawl.init({ plan: PLAN });
  const { others, wait } = SHAPES[shape];
  const connection = loadDriver().open(databaseOf(repository));
  connection.exec(`
    pragma synchronous = off;
    pragma cache_size = -200000;
    begin immediate;
    delete from steps;
    insert into steps (plan_path, anchor, step_index, title) values ('${PLAN}', 'last', ${steps - 1}, 'The last step');
    with recursive n(i) as (select 0 union all select i + 1 from n where i + 2 < ${steps})
    insert into steps (plan_path, anchor, step_index, title, content_hash, status, unmet_deps)
    select '${PLAN}', 'step-' || i, i, 'Step number ' || i, printf('%064x', i), '${others}', ${Number(wait)}
      from n;
    insert into step_deps (plan_path, step_anchor, depends_on)
    select plan_path, anchor, 'last' from steps where unmet_deps = 1;
    commit;
    pragma wal_checkpoint(truncate)`);
  connection.close();
  return pawl;
}
