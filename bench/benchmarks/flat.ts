import { openPawl, type Pawl } from "../../src/index.ts";
import { type Connection, loadDriver } from "../../src/platform/sqlite/driver.ts";
import { flatPlan } from "../../test/support/plans.ts";
import type { TestRepository } from "../../test/support/repository.ts";
import type { Benchmark, Line } from "../benchmark.ts";
import { keeping, withDriver } from "../recorder.ts";
import { byTurns, median, percentile, timed } from "../samples.ts";
import { databaseOf, env, inRepository } from "../workbench.ts";

const PLAN = "plan.md";

/** Where a plan of any size can stand. The last step is free in all of them: a search in order would find it last. */
const SHAPES = {
  "all free": { others: "pending", wait: false },
  "all but one blocked": { others: "pending", wait: true },
  "all but one completed": { others: "completed", wait: false },
  "all but one held by others": { others: "claimed", wait: false },
} as const;
type Shape = keyof typeof SHAPES;

/**
 * Does a claim cost the same however large the plan? Asked of both sizes by turns, for four shapes of plan.
 *
 * Once as it is in real life, and once without waiting for the disk, where our own part cannot hide behind it.
 */
export const flat: Benchmark = {
  name: "flat",
  about: "one claim (library) in a small and a huge plan",
  run: async ({ quick }) => {
    const lines: Line[] = [];
    for (const shape of Object.keys(SHAPES) as Shape[]) {
      const isHeld = SHAPES[shape].others === "claimed";
      const sizes = quick ? ([100, 2000] as const) : ([1000, isHeld ? 10_000 : 1_000_000] as const);
      lines.push(...(await compare(shape, sizes, quick ? 20 : isHeld ? 300 : 900)));
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
      const claimers = [await claimer(few, small, shape), await claimer(many, large, shape)] as const;
      const lines: Line[] = [];
      for (const synchronous of ["full", "off"] as const) {
        for (const one of claimers) one.set(synchronous);
        const samples = await byTurns(rounds, { few: claimers[0].once, many: claimers[1].once });
        lines.push(...linesOf(shape, synchronous, samples, [small, large]));
      }
      for (const one of claimers) await one.close();
      return lines;
    }),
  );
}

function linesOf(
  shape: Shape,
  synchronous: "full" | "off",
  { few, many }: Record<"few" | "many", readonly number[]>,
  [small, large]: readonly [number, number],
): readonly Line[] {
  const figures = (times: readonly number[]) => ({
    "p50 ms": median(times),
    "p99 ms": percentile(times, 0.99),
  });
  const what = `${shape}, synchronous ${synchronous}`;
  const ratio = (share: number) => percentile(many, share) / percentile(few, share);
  return [
    { what: `${what}, ${small} steps`, figures: figures(few) },
    {
      what: `${what}, ${large} steps`,
      figures: { ...figures(many), "p50 ratio": ratio(0.5), "p99 ratio": ratio(0.99) },
      ...(synchronous === "full" ? { goal: { figures: ["p50 ratio", "p99 ratio"], most: 2 } } : {}),
    },
  ];
}

interface Claimer {
  readonly set: (synchronous: "full" | "off") => void;
  /** Milliseconds of one claim. What must happen before the next one is not on the clock. */
  readonly once: () => Promise<number>;
  readonly close: () => Promise<void>;
}

async function claimer(repository: TestRepository, steps: number, shape: Shape): Promise<Claimer> {
  const opened: Connection[] = [];
  const pawl = await withDriver(keeping(opened), () => smallPlan(repository));
  enlarge(repository, steps, shape);
  const worktree = repository.path;
  // Where all are free, the next claim gets the next step as long as there are some; else the same one goes round.
  let left = shape === "all free" ? steps / 2 : 0;
  return {
    set(synchronous) {
      for (const connection of opened) connection.exec(`pragma synchronous = ${synchronous}`);
    },
    async once() {
      let step: string | null = null;
      const tookMs = await timed(async () => {
        step = (await pawl.claim({ plan: PLAN, worktree })).anchor;
      });
      if (step === null) throw new Error(`Nothing to claim: ${shape}.`);
      const who = { plan: PLAN, step, worktree };
      if (left > 0) {
        left -= 1;
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

/** All that is on disk; claims only compare the file with what was saved. */
async function smallPlan(repository: TestRepository): Promise<Pawl> {
  repository.write(PLAN, flatPlan(1));
  const pawl = await openPawl({ cwd: repository.path, env });
  await pawl.init({ plan: PLAN });
  return pawl;
}

/** Writes the steps past Pawl: a plan file may hold 50,000 at most, and reading it is not the question here. */
function enlarge(repository: TestRepository, steps: number, shape: Shape): void {
  const { others, wait } = SHAPES[shape];
  const connection = loadDriver().open(databaseOf(repository));
  connection.exec(`
    pragma synchronous = off;
    pragma cache_size = -200000;
    begin immediate;
    delete from steps;
    insert into steps (plan_path, anchor, step_index, title) values ('${PLAN}', 'last', ${steps - 1}, 'The last step');
    with recursive n(i) as (select 0 union all select i + 1 from n where i + 2 < ${steps})
    insert into steps (plan_path, anchor, step_index, title, content_hash, status, unmet_deps, claimed_by)
    select '${PLAN}', 'step-' || i, i, 'Step number ' || i, printf('%064x', i), '${others}', ${Number(wait)}, '/site/' || i
      from n;
    update steps
       set worktree_id = 'site/' || step_index, claim_seq = 1,
           claimed_host = 'elsewhere', lease_boot_id = 'elsewhere', lease_uptime_ms = 0, lease_expires_at = '2999'
     where status = 'claimed';
    insert into step_deps (plan_path, step_anchor, depends_on)
    select plan_path, anchor, 'last' from steps where unmet_deps = 1;
    commit;
    pragma wal_checkpoint(truncate)`);
  connection.close();
}
