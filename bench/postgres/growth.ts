import pg from "pg";
import { openPawl } from "../../src/index.ts";
import { flatPlan } from "../../test/support/plans.ts";
import type { TestRepository } from "../../test/support/repository.ts";
import { median } from "../samples.ts";

const VERBS = ["claim", "start", "heartbeat", "complete"] as const;
const CYCLES = 60;

interface Point {
  readonly held: number;
  /** Milliseconds, by verb. */
  readonly took: Readonly<Record<(typeof VERBS)[number], number>>;
}

interface Worker {
  readonly held: number;
  readonly cycle: () => Promise<void>;
  readonly close: () => Promise<Point>;
}

/**
 * What each verb costs one worker while others, on another machine, hold so many steps of the plan, and while no worker holds
 * one. By turns, in plans of the same size.
 */
export async function measureGrowth(
  url: string,
  repository: TestRepository,
  held: readonly string[],
): Promise<readonly Point[]> {
  const counts = [0, ...held.map(Number)];
  const size = Math.max(...counts) + CYCLES + 200;
  const workers: Worker[] = [];
  for (const count of counts) workers.push(await begin(url, repository, count, size));
  for (let cycle = 0; cycle < CYCLES; cycle += 1) for (const worker of workers) await worker.cycle();
  return Promise.all(workers.map((worker) => worker.close()));
}

async function begin(url: string, repository: TestRepository, held: number, steps: number): Promise<Worker> {
  const repositoryId = `benchheld${held}`;
  const plan = `held-${held}.md`;
  repository.write(plan, flatPlan(steps));
  const env = { ...process.env, PAWL_DATABASE_URL: url, PAWL_REPOSITORY_ID: repositoryId };
  const pawl = await openPawl({ cwd: repository.path, env });
  await pawl.init({ plan });
  await giveAway(url, `pawl_${repositoryId}`, held);
  const worktree = repository.path;
  const times: Record<(typeof VERBS)[number], number[]> = {
    claim: [],
    start: [],
    heartbeat: [],
    complete: [],
  };
  const timed = async <T>(verb: (typeof VERBS)[number], call: () => Promise<T>): Promise<T> => {
    const start = performance.now();
    const answer = await call();
    times[verb].push(performance.now() - start);
    return answer;
  };
  return {
    held,
    async cycle() {
      const { anchor, claim } = await timed("claim", () => pawl.claim({ plan, worktree }));
      const who = { plan, step: anchor!, worktree, claim: claim! };
      await timed("start", () => pawl.start(who));
      await timed("heartbeat", () => pawl.heartbeat(who));
      await timed("complete", () => pawl.complete(who));
    },
    async close() {
      await pawl.close();
      const took = Object.fromEntries(VERBS.map((verb) => [verb, median(times[verb])])) as Point["took"];
      return { held, took };
    },
  };
}

/** Each of the first steps to a worktree of its own on another machine; what a server that runs for a while knows. */
async function giveAway(url: string, schema: string, steps: number): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`set search_path to "${schema}"`);
  await client.query(
    `update steps
        set status = 'claimed', last_event = 'claimed', claim_seq = 1, claimed_by = '/site/' || step_index,
            worktree_id = 'other/clone/' || step_index, claimed_host = 'other', lease_boot_id = 'other',
            lease_uptime_ms = 0, lease_expires_at = '2999-01-01T00:00:00.000Z'
      where step_index < $1`,
    [steps],
  );
  await client.query("vacuum analyze steps");
  await client.end();
}

/** The goal: a claim takes at most 1.3 times as long as where no worker holds a step. */
export function printGrowth(points: readonly Point[]): void {
  const none = points.find(({ held }) => held === 0)!;
  console.log(`\n${["held by others", ...VERBS, "claim ratio"].map((word) => word.padStart(14)).join("")}`);
  for (const { held, took } of points) {
    const ratio = took.claim / none.took.claim;
    const cells = [
      String(held),
      ...VERBS.map((verb) => `${took[verb].toFixed(1)} ms`),
      `${ratio.toFixed(2)} ${ratio <= 1.3 ? "met" : "missed"}`,
    ];
    console.log(cells.map((cell) => cell.padStart(14)).join(""));
  }
}
