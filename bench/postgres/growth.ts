import pg from "pg";
import { openPawl } from "../../src/index.ts";
import { flatPlan } from "../../test/support/plans.ts";
import type { TestRepository } from "../../test/support/repository.ts";
import { median } from "../samples.ts";

const VERBS = ["claim", "start", "heartbeat", "complete"] as const;
const CYCLES = 60;

interface Point {
  readonly held: number;
  readonly saveMs: number;
  /** Milliseconds, by verb. */
  readonly took: Readonly<Record<(typeof VERBS)[number], number>>;
}

/** What each verb costs one worker while others, on another machine, hold so many steps of the plan. */
export async function measureGrowth(
  url: string,
  repository: TestRepository,
  held: readonly string[],
): Promise<readonly Point[]> {
  const points: Point[] = [];
  for (const count of held.map(Number)) points.push(await measure(url, repository, count));
  return points;
}

async function measure(url: string, repository: TestRepository, held: number): Promise<Point> {
  const repositoryId = `benchheld${held}`;
  const plan = `held-${held}.md`;
  // As many again stay open behind those that the worker takes, so that it never comes near the end.
  repository.write(plan, flatPlan(held + CYCLES + 200));
  const env = { ...process.env, PAWL_DATABASE_URL: url, PAWL_REPOSITORY_ID: repositoryId };
  const pawl = await openPawl({ cwd: repository.path, env });
  const before = performance.now();
  await pawl.init({ plan });
  const saveMs = performance.now() - before;
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
  for (let cycle = 0; cycle < CYCLES; cycle += 1) {
    const { anchor, claim } = await timed("claim", () => pawl.claim({ plan, worktree }));
    const who = { plan, step: anchor!, worktree, claim: claim! };
    await timed("start", () => pawl.start(who));
    await timed("heartbeat", () => pawl.heartbeat(who));
    await timed("complete", () => pawl.complete(who));
  }
  await pawl.close();
  const took = Object.fromEntries(VERBS.map((verb) => [verb, median(times[verb])])) as Point["took"];
  return { held, saveMs, took };
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

export function printGrowth(points: readonly Point[]): void {
  console.log(`\n${["held by others", "saved in s", ...VERBS].map((word) => word.padStart(14)).join("")}`);
  for (const { held, saveMs, took } of points) {
    const cells = [
      String(held),
      (saveMs / 1000).toFixed(1),
      ...VERBS.map((verb) => `${took[verb].toFixed(1)} ms`),
    ];
    console.log(cells.map((cell) => cell.padStart(14)).join(""));
  }
}
