import pg from "pg";
import { openPawl, type Pawl } from "../../src/index.ts";
import { choosesStep, type RecordedCall } from "./recorded-call.ts";

/** What a worker process is given. */
export interface Job {
  readonly contender: keyof typeof CONTENDERS;
  readonly url: string;
  readonly worktree: string;
  readonly plan: string;
  readonly repositoryId: string;
  /** For the bare statements: what Pawl sent, for which step and in which worktree. */
  readonly recorded?: {
    readonly calls: readonly RecordedCall[];
    readonly anchor: string;
    readonly plan: string;
    readonly repositoryId: string;
    readonly worktree: string;
  };
}

/** What a worker process tells when it is done. */
export interface Outcome {
  readonly times: readonly number[];
  readonly cpuMs: number;
}

export interface Worker {
  /** Milliseconds of each cycle. */
  readonly work: () => Promise<readonly number[]>;
}

/** Calls until there is nothing left, and looks at the clock in between. */
async function timed(cycle: () => Promise<boolean>): Promise<readonly number[]> {
  const times: number[] = [];
  for (;;) {
    const start = performance.now();
    if (!(await cycle())) return times;
    times.push(performance.now() - start);
  }
}

export const CONTENDERS = { pawl, three, bare, least, boss, graphile } as const satisfies Record<
  string,
  (job: Job) => Promise<Worker>
>;

async function opened({ url, worktree, repositoryId }: Job): Promise<Pawl> {
  const env = { ...process.env, PAWL_DATABASE_URL: url, PAWL_REPOSITORY_ID: repositoryId };
  const verbs = await openPawl({ cwd: worktree, env });
  await verbs.list();
  return verbs;
}

/** The library, as a worker that goes step by step calls it: three transactions. */
async function three(job: Job): Promise<Worker> {
  const { worktree, plan } = job;
  const verbs = await opened(job);
  return {
    work: () =>
      timed(async () => {
        const { anchor, claim, allCompleted } = await verbs.claim({ plan, worktree });
        if (anchor === null || claim === null) return !allCompleted && pause();
        const who = { plan, step: anchor, worktree, claim };
        await verbs.start(who);
        await verbs.complete(who);
        return true;
      }),
  };
}

/** The library, as a supervisor calls it that begins at once: two transactions, as many as a queue makes. */
async function pawl(job: Job): Promise<Worker> {
  const { worktree, plan } = job;
  const verbs = await opened(job);
  return {
    work: () =>
      timed(async () => {
        const { anchor, claim, allCompleted } = await verbs.claim({ plan, worktree, start: true });
        if (anchor === null || claim === null) return !allCompleted && pause();
        await verbs.complete({ plan, step: anchor, worktree, claim });
        return true;
      }),
  };
}

const pause = async (): Promise<boolean> => {
  await new Promise((resolve) => setTimeout(resolve, 5));
  return true;
};

async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}

/** Exactly what Pawl sends, in its order, one after another, with nothing around it. */
async function bare({ url, worktree, plan, repositoryId, recorded }: Job): Promise<Worker> {
  if (!recorded) throw new Error("nothing was recorded");
  const client = await connected(url);
  const calls = recorded.calls.map((call) => ({ ...call, chooses: choosesStep(call) }));
  const moved = (value: unknown, anchor: string): unknown => {
    if (value === recorded.anchor) return anchor;
    if (value === recorded.plan) return plan;
    if (typeof value !== "string") return value;
    return value.replaceAll(recorded.worktree, worktree).replaceAll(recorded.repositoryId, repositoryId);
  };
  return {
    work: () =>
      timed(async () => {
        let anchor = "";
        for (const { text, values, name, chooses, rows } of calls) {
          const result = values
            ? await client.query({
                text,
                values: values.map((value) => moved(value, anchor)),
                ...(name ? { name } : {}),
              })
            : await client.query(text);
          if (chooses) {
            const [row] = result.rows as { anchor: string }[];
            if (!row) {
              await client.query("rollback");
              return false;
            }
            ({ anchor } = row);
          } else if (values && text.startsWith("update") && (result.rowCount ?? 0) !== rows) {
            throw new Error(`${result.rowCount} rows instead of ${rows}: ${text}`);
          }
        }
        return true;
      }),
  };
}

/** The least that two statements can be: no number, no lease, no journal, no checklist, no guard but the trigger's. */
async function least({ url, worktree, plan, repositoryId }: Job): Promise<Worker> {
  const client = await connected(url);
  await client.query(`set search_path to "pawl_${repositoryId}"`);
  return {
    work: () =>
      timed(async () => {
        const { rows } = await client.query<{ anchor: string }>(
          `update steps set status = 'claimed', last_event = 'claimed', claim_seq = claim_seq + 1, claimed_by = $2
            where plan_path = $1
              and anchor = (select anchor from steps
                             where plan_path = $1 and parent_anchor is null and status = 'pending' and unmet_deps = 0
                             order by step_index limit 1 for no key update skip locked)
           returning anchor`,
          [plan, worktree],
        );
        if (!rows[0]) return false;
        await client.query(
          `update steps set status = 'completed', last_event = 'proved'
            where plan_path = $1 and anchor = $2 and claimed_by = $3`,
          [plan, rows[0].anchor, worktree],
        );
        return true;
      }),
  };
}

export const QUEUE = "steps";

interface Boss {
  start(): Promise<unknown>;
  fetch(queue: string): Promise<readonly { readonly id: string }[]>;
  complete(queue: string, id: string): Promise<unknown>;
}

/** Version 10 has the class as its default, later ones have it by name. */
export async function openBoss(url: string, isFirst: boolean): Promise<Boss> {
  const module = (await import("pg-boss" as string)) as Record<string, new (options: object) => Boss>;
  const Class = module["PgBoss"] ?? module["default"];
  const boss = new Class!({
    connectionString: url,
    supervise: false,
    schedule: false,
    migrate: isFirst,
    max: 2,
  });
  (boss as unknown as { on(event: string, hear: () => void): void }).on("error", () => undefined);
  await boss.start();
  return boss;
}

async function boss({ url }: Job): Promise<Worker> {
  const queue = await openBoss(url, false);
  return {
    work: () =>
      timed(async () => {
        const [job] = await queue.fetch(QUEUE);
        if (!job) return false;
        await queue.complete(QUEUE, job.id);
        return true;
      }),
  };
}

/** Its own loop, until it finds nothing; what is timed is from one start of the task to the next. */
async function graphile({ url }: Job): Promise<Worker> {
  const { runOnce, Logger } = (await import("graphile-worker" as string)) as {
    runOnce: (options: object) => Promise<void>;
    Logger: new (factory: () => () => void) => object;
  };
  const logger = new Logger(() => () => undefined);
  const run = (taskList: object) =>
    runOnce({
      connectionString: url,
      concurrency: 1,
      maxPoolSize: 2,
      noHandleSignals: true,
      logger,
      taskList,
    });
  return {
    async work() {
      const times: number[] = [];
      let last = performance.now();
      await run({
        [QUEUE]: () => {
          const now = performance.now();
          times.push(now - last);
          last = now;
        },
      });
      return times;
    },
  };
}
