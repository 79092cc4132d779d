import type { Params } from "../../src/platform/ports/database.ts";
import { openPawl, type Pawl } from "../../src/index.ts";
import { type Connection, loadDriver } from "../../src/platform/sqlite/driver.ts";
import { flatPlan } from "../../test/support/plans.ts";
import type { TestRepository } from "../../test/support/repository.ts";
import type { Benchmark, Line } from "../benchmark.ts";
import { type Call, keeping, recording, withDriver, type Wrap } from "../recorder.ts";
import { byTurns, cpuMs, median, timed } from "../samples.ts";
import { databaseOf, env, inRepository } from "../workbench.ts";

/** Cycles between two looks at the clock. */
const STEPS = 100;

/** Steps of one plan. Near its end a plan is asked whether it is done, which the recorded cycle does not do. */
const PLAN_STEPS = 2 * STEPS;

/**
 * What Pawl adds to its own SQL.
 *
 * The calls that one claim, start and complete make are recorded at the driver. Then two equal databases are worked
 * through by turns: one by the library, the other by exactly these calls, prepared once and with nothing around
 * them. Every write must change as many rows as it did in the recording, or the comparison would be with a query
 * that does nothing.
 */
export const cycle: Benchmark = {
  name: "cycle",
  about: "claim + start + complete in one process, against the same statements bare",
  run: async ({ quick }) => {
    const rounds = quick ? 2 : 30;
    const calls = await inRepository(record);
    return [...(await compare(calls, rounds, "full")), ...(await compare(calls, rounds, "off"))];
  },
};

const nameOf = (plan: number): string => `plan-${plan}.md`;
const anchorOf = (step: number): string => `step-${step}`;

async function prepare(repository: TestRepository, plans: number): Promise<Pawl> {
  const pawl = await openPawl({ cwd: repository.path, env });
  for (let plan = 0; plan < plans; plan += 1) {
    repository.write(nameOf(plan), flatPlan(PLAN_STEPS));
    await pawl.init({ plan: nameOf(plan) });
  }
  return pawl;
}

async function oneCycle(pawl: Pawl, worktree: string, plan: string): Promise<void> {
  const { anchor, claim } = await pawl.claim({ plan, worktree });
  if (anchor === null || claim === null) throw new Error(`${plan} has no step left.`);
  const who = { plan, step: anchor, worktree, claim };
  await pawl.start(who);
  await pawl.complete(who);
}

/** The fifth step of a plan: whatever happens only at first has happened by then. */
const RECORDED = 5;

async function record(repository: TestRepository): Promise<readonly Call[]> {
  await (await prepare(repository, 1)).close();
  const calls: Call[] = [];
  const wrap: Wrap = (open) => (path, options) => recording(open(path, options), calls);
  return withDriver(wrap, async () => {
    const pawl = await openPawl({ cwd: repository.path, env });
    for (let step = 1; step < RECORDED; step += 1) await oneCycle(pawl, repository.path, nameOf(0));
    calls.length = 0;
    await oneCycle(pawl, repository.path, nameOf(0));
    const cycle = [...calls];
    await pawl.close();
    return cycle;
  });
}

type Synchronous = "full" | "off";

async function compare(
  calls: readonly Call[],
  rounds: number,
  synchronous: Synchronous,
): Promise<readonly Line[]> {
  return inRepository((ours) =>
    inRepository(async (bare) => {
      const opened: Connection[] = [];
      const pawl = await withDriver(keeping(opened), () => prepare(ours, rounds));
      await (await prepare(bare, rounds)).close();
      const connection = loadDriver().open(databaseOf(bare), { timeout: 50 });
      connection.exec("pragma foreign_keys = on; pragma temp_store = memory");
      for (const one of [connection, ...opened]) one.exec(`pragma synchronous = ${synchronous}`);
      const replay = replayer(connection, calls);
      // Without the wait for the disk only our own part is left, and that is processor time.
      const measured = synchronous === "full" ? timed : cpuMs;
      const samples = await byTurns(rounds, {
        ours: (round) =>
          measured(async () => {
            for (let step = 0; step < STEPS; step += 1) await oneCycle(pawl, ours.path, nameOf(round));
          }),
        bare: (round) => measured(replay(round)),
      });
      await pawl.close();
      connection.close();
      const rate = (times: readonly number[]) => (STEPS * 1000) / median(times);
      const line = (what: string, times: readonly number[]) => ({
        what: `${what}, synchronous ${synchronous}`,
        figures: { "cycles/s": rate(times), "µs/cycle": (median(times) * 1000) / STEPS },
      });
      const library = line("library", samples.ours);
      return [
        line(`the same ${calls.filter(({ how }) => how !== "exec").length} statements, bare`, samples.bare),
        {
          ...library,
          figures: { ...library.figures, ratio: rate(samples.ours) / rate(samples.bare) },
          ...(synchronous === "full" ? { goal: { figures: ["ratio"], least: 0.6 } } : {}),
        },
      ];
    }),
  );
}

/** Makes the parameters of a whole round first, so that only the driver is on the clock. */
function replayer(connection: Connection, calls: readonly Call[]): (round: number) => () => void {
  const prepared = new Map<string, ReturnType<Connection["prepare"]>>();
  for (const { how, sql } of calls)
    if (how !== "exec" && !prepared.has(sql)) prepared.set(sql, connection.prepare(sql));
  return (round) => {
    const work = Array.from({ length: STEPS }, (_, index) => index + 1).flatMap((step) =>
      calls.map((call): (() => void) => {
        if (call.how === "exec") return () => connection.exec(call.sql);
        const statement = prepared.get(call.sql)!;
        const params = moved(call.params, nameOf(round), anchorOf(step));
        if (call.how === "all") return () => expectSame(call, statement.all(params).length, call.rows);
        return () => expectSame(call, Number(statement.run(params).changes), call.changes);
      }),
    );
    return () => {
      for (const call of work) call();
    };
  };
}

/** The same parameters for another step of another plan. */
const moved = (params: Params, plan: string, anchor: string): Params =>
  Object.fromEntries(
    Object.entries(params).map(([name, value]) => {
      if (value === nameOf(0)) return [name, plan];
      return [name, value === anchorOf(RECORDED) ? anchor : value];
    }),
  );

function expectSame(call: Call, found: number, recorded: number): void {
  if (found !== recorded) throw new Error(`${found} rows instead of ${recorded}: ${call.sql}`);
}
