import { openPawl, type Pawl } from "../../src/index.ts";
import { loadDriver } from "../../src/platform/sqlite/driver.ts";
import { flatPlan } from "../../test/support/plans.ts";
import type { TestRepository } from "../../test/support/repository.ts";
import type { Benchmark } from "../benchmark.ts";
import { cpuMs, median } from "../samples.ts";
import { databaseOf, env, inRepository } from "../workbench.ts";

const PLAN = "plan-0.md";
const VERBS = ["claim", "start", "heartbeat", "complete", "ready", "show", "events", "explain"] as const;
type Verb = (typeof VERBS)[number];

/** What each verb costs after a long life: millions of lines in the journal and many plans, against a young repository. */
export const journal: Benchmark = {
  name: "journal",
  about:
    "verbs (library, processor time) beside 100 plans and a journal of 10 million lines, against one plan and 1,000 lines",
  isAsked: true,
  run: ({ quick }) =>
    inRepository((young) =>
      inRepository(async (old) => {
        const rounds = quick ? 3 : 60;
        const few = await grown(young, { plans: 1, lines: 1000 });
        const many = await grown(
          old,
          quick ? { plans: 5, lines: 20_000 } : { plans: 100, lines: 10_000_000 },
        );
        const samples = { few: none(), many: none() };
        for (let round = 0; round < rounds; round += 1) {
          await cycle(few, young.path, samples.few);
          await cycle(many, old.path, samples.many);
        }
        await few.close();
        await many.close();
        return VERBS.map((verb) => {
          const [small, large] = [median(samples.few[verb]), median(samples.many[verb])];
          return {
            what: verb,
            figures: { "young ms": small, "old ms": large, ratio: large / small },
            goal: { figures: ["ratio"], most: 1.5 },
          };
        });
      }),
    ),
};

const none = () => Object.fromEntries(VERBS.map((verb) => [verb, []])) as unknown as Record<Verb, number[]>;

async function cycle(pawl: Pawl, worktree: string, samples: Record<Verb, number[]>): Promise<void> {
  let who = { plan: PLAN, worktree, step: "", claim: 0 };
  const calls: Readonly<Record<Verb, () => Promise<unknown>>> = {
    async claim() {
      const { anchor, claim } = await pawl.claim({ plan: PLAN, worktree });
      who = { ...who, step: anchor!, claim: claim! };
    },
    start: () => pawl.start(who),
    heartbeat: () => pawl.heartbeat(who),
    complete: () => pawl.complete(who),
    ready: () => pawl.ready({ plan: PLAN }),
    show: () => pawl.show({ plan: PLAN }),
    events: () => pawl.events({ plan: PLAN, most: 20 }),
    explain: () => pawl.explain({ plan: PLAN, step: who.step }),
  };
  for (const verb of VERBS) samples[verb].push(await cpuMs(calls[verb]));
}

/** The lines are written past Pawl, spread over the plans and their steps. */
async function grown(
  repository: TestRepository,
  { plans, lines }: { readonly plans: number; readonly lines: number },
): Promise<Pawl> {
  const steps = 100;
  const pawl = await openPawl({ cwd: repository.path, env });
  for (let plan = 0; plan < plans; plan += 1) {
    repository.write(`plan-${plan}.md`, flatPlan(steps));
    await pawl.init({ plan: `plan-${plan}.md` });
  }
  const connection = loadDriver().open(databaseOf(repository));
  connection.exec(`
    pragma synchronous = off;
    pragma cache_size = -200000;
    begin immediate;
    with recursive n(i) as (select 1 union all select i + 1 from n where i < ${lines})
    insert into events (at, plan_path, anchor, event, claim, worktree, detail)
    select '2026-01-01T00:00:00.000Z', 'plan-' || (${plans > 1 ? `1 + i % ${plans - 1}` : "0"}) || '.md',
           'step-' || (1 + i % ${steps}), case i % 4 when 0 then 'claimed' when 1 then 'started' when 2 then 'heartbeat' else 'completed' end,
           1, '/site/' || (i % 64), '{}'
      from n;
    commit;
    pragma wal_checkpoint(truncate)`);
  connection.close();
  return pawl;
}
