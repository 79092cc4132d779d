import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import pg from "pg";
import { openPawl } from "../../src/index.ts";
import { flatPlan } from "../../test/support/plans.ts";
import { startPostgres } from "../../test/support/postgres-server.ts";
import { testRepository, type TestRepository } from "../../test/support/repository.ts";
import { machineFacts } from "../machine-facts.ts";
import { median, percentile } from "../samples.ts";
import { measureGrowth, printGrowth } from "./growth.ts";
import { type CONTENDERS, type Job, openBoss, type Outcome, QUEUE } from "./contenders.ts";
import { serverCpuMs } from "./server-cpu.ts";
import { printTable, type TableLine } from "./print-table.ts";
import { record, type RecordedCall } from "./recorded-call.ts";

const options = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    workers: { type: "string", multiple: true, default: [] },
    only: { type: "string", multiple: true, default: [] },
    rounds: { type: "string" },
    /** Instead: what the verbs cost one worker while others hold so many steps. */
    held: { type: "string", multiple: true, default: [] },
    /** Passed on by the launcher: the server's files lie in memory, so that no disk is measured. */
    memory: { type: "boolean", default: false },
  },
}).values;

type Name = keyof typeof CONTENDERS;

const NAMES: Readonly<Record<Name, string>> = {
  pawl: "Pawl: claim and start + complete",
  three: "Pawl: claim + start + complete",
  bare: "the same statements, bare",
  least: "two statements, nothing else kept",
  boss: "pg-boss: fetch + complete",
  graphile: "graphile-worker: its own loop",
};

const GOALS: Readonly<Partial<Record<Name, number>>> = { bare: 0.5, boss: 1.2, graphile: 0.6 };
const RECORDED = { anchor: "step-5", plan: "recorded.md", repositoryId: "benchrecorded" } as const;
const WORKER = fileURLToPath(new URL("worker.mjs", import.meta.url));
const WORKERS = options.workers.length > 0 ? options.workers.map(Number) : options.quick ? [2] : [1, 4, 16];
const ROUNDS = Number(options.rounds ?? (options.quick ? 1 : 5));
const jobsFor = (workers: number): number => (options.quick ? 60 : 400 + 100 * Math.min(workers, 8));

const server = await startPostgres();
const repository = testRepository();
process.once("exit", () => repository.remove());
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => void server.stop().finally(() => process.exit(1)));

async function runSuite(): Promise<void> {
  const [shown] = await ask<{ server_version: string }>("show server_version");
  for (const [name, value] of Object.entries({ ...machineFacts(), postgres: shown!.server_version }))
    console.log(`${name.padEnd(12)} ${value}`);
  const bench = await prepare();
  console.log(`${"data".padEnd(12)} ${options.memory ? "in memory" : "on disk"}`);
  console.log(`${"statements".padEnd(12)} ${bench.calls.length} messages per cycle of Pawl`);
  if (options.held.length > 0) return printGrowth(await measureGrowth(server.url, repository, options.held));
  for (const workers of WORKERS) {
    const title = `${workers} ${workers === 1 ? "worker" : "workers"}, each a process; ${jobsFor(workers)} steps or jobs`;
    printTable(title, await compare(bench, workers));
  }
}

async function ask<R extends object>(sql: string): Promise<R[]> {
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  try {
    return (await client.query(sql)).rows as R[];
  } finally {
    await client.end();
  }
}

interface Bench {
  readonly calls: readonly RecordedCall[];
  readonly contenders: readonly Name[];
  readonly worktrees: readonly string[];
  readonly repository: TestRepository;
}

async function prepare(): Promise<Bench> {
  repository.write("README.md", "bench\n");
  repository.git("add", "-A");
  repository.git("commit", "-q", "-m", "first");
  const worktrees = Array.from({ length: Math.max(...WORKERS) }, (_, index) =>
    repository.addWorktree(`bench-worker-${String(index).padStart(3, "0")}`),
  );
  const calls = await recordCycle(worktrees[0]!);
  const contenders: Name[] = ["pawl", "three", "bare", "least"];
  try {
    const boss = await openBoss(server.url, true);
    await (boss as unknown as { createQueue(name: string): Promise<void> }).createQueue(QUEUE);
    contenders.push("boss");
  } catch (error) {
    console.error(`pg-boss does not run here: ${String(error)}`);
  }
  try {
    const { runMigrations } = (await import("graphile-worker" as string)) as {
      runMigrations: (options: object) => Promise<void>;
    };
    await runMigrations({ connectionString: server.url });
    contenders.push("graphile");
  } catch (error) {
    console.error(`graphile-worker does not run here: ${String(error)}`);
  }
  const chosen = contenders.filter((name) => options.only.length === 0 || options.only.includes(name));
  return { calls, contenders: chosen, worktrees, repository };
}

const envOf = (repositoryId: string) => ({
  ...process.env,
  PAWL_DATABASE_URL: server.url,
  PAWL_REPOSITORY_ID: repositoryId,
});

async function savePlan(repositoryId: string, plan: string, steps: number): Promise<void> {
  repository.write(plan, flatPlan(steps));
  const pawl = await openPawl({ cwd: repository.path, env: envOf(repositoryId) });
  await pawl.init({ plan });
  await pawl.close();
}

/** The fifth step: whatever happens only at first has happened by then. */
async function recordCycle(worktree: string): Promise<readonly RecordedCall[]> {
  const { plan, repositoryId } = RECORDED;
  // In the last steps of a plan more is read; this one is long enough to be far from them.
  await savePlan(repositoryId, plan, 300);
  const pawl = await openPawl({ cwd: worktree, env: envOf(repositoryId) });
  const path = `${repository.path}/${plan}`;
  const cycle = async (): Promise<void> => {
    const { anchor, claim } = await pawl.claim({ plan: path, worktree, start: true });
    await pawl.complete({ plan: path, step: anchor!, worktree, claim: claim! });
  };
  for (let step = 1; step < 5; step += 1) await cycle();
  const calls = await record(pg.Client.prototype, cycle);
  await pawl.close();
  return calls;
}

/** The contenders by turns, round after round, so that whatever else the machine does falls on all of them alike. */
async function compare(bench: Bench, workers: number): Promise<readonly TableLine[]> {
  const none = () => new Map<Name, number[]>(bench.contenders.map((name) => [name, []]));
  const [rates, times, workerMs, serverMs] = [none(), none(), none(), none()];
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const name of bench.contenders) {
      const outcome = await race(bench, name, workers, round);
      rates.get(name)!.push(outcome.rate);
      times.get(name)!.push(...outcome.times);
      workerMs.get(name)!.push(outcome.workerMs);
      serverMs.get(name)!.push(outcome.serverMs);
    }
  }
  const rateOf = (name: Name): number => median(rates.get(name) ?? []);
  return bench.contenders.map((name) => ({
    what: NAMES[name],
    rate: rateOf(name),
    p50: median(times.get(name)!),
    p99: percentile(times.get(name)!, 0.99),
    workerMs: median(workerMs.get(name)!),
    serverMs: median(serverMs.get(name)!),
    ratio: rateOf("pawl") / rateOf(name),
    goal: GOALS[name],
  }));
}

interface Race {
  readonly rate: number;
  readonly times: readonly number[];
  readonly workerMs: number;
  readonly serverMs: number;
}

const isPawl = (name: Name): boolean => name === "pawl" || name === "three";

async function race(bench: Bench, contender: Name, workers: number, round: number): Promise<Race> {
  const jobs = jobsFor(workers);
  const repositoryId = `bench${contender}${workers}x${round}`;
  const plan = `plan-${contender}-${workers}-${round}.md`;
  await fill(contender, repositoryId, plan, jobs);
  const children = Array.from({ length: workers }, (_, index) => {
    const job: Job = {
      contender,
      url: server.url,
      worktree: bench.worktrees[index]!,
      plan: isPawl(contender) ? `${repository.path}/${plan}` : plan,
      repositoryId,
      ...(contender === "bare"
        ? { recorded: { ...RECORDED, calls: bench.calls, worktree: bench.worktrees[0]! } }
        : {}),
    };
    const child = fork(WORKER);
    child.send(job);
    return child;
  });
  try {
    await Promise.all(children.map(message));
    await ask("checkpoint");
    const before = serverCpuMs(server.pid());
    const start = performance.now();
    const outcomes = await Promise.all(
      children.map((child) => {
        const answer = message(child);
        child.send("go");
        return answer as Promise<Outcome>;
      }),
    );
    const tookMs = performance.now() - start;
    const times = outcomes.flatMap((outcome) => outcome.times);
    if (times.length < jobs) throw new Error(`${contender} did ${times.length} of ${jobs}`);
    const serverMs = (serverCpuMs(server.pid()) - before) / jobs;
    const workerMs = outcomes.reduce((sum, { cpuMs }) => sum + cpuMs, 0) / jobs;
    return { rate: (jobs * 1000) / tookMs, times, workerMs, serverMs };
  } finally {
    for (const child of children) child.kill();
  }
}

async function fill(contender: Name, repositoryId: string, plan: string, jobs: number): Promise<void> {
  if (contender === "boss") {
    const boss = (await openBoss(server.url, false)) as unknown as {
      insert(...args: readonly unknown[]): Promise<unknown>;
      stop(options: object): Promise<void>;
    };
    const list = Array.from({ length: jobs }, (_, index) => ({ name: QUEUE, data: { index } }));
    // Version 10 takes the list alone, later ones the queue first.
    await (boss.insert.length > 1 ? boss.insert(QUEUE, list) : boss.insert(list));
    return;
  }
  if (contender === "graphile") {
    await ask(
      `select graphile_worker.add_job('${QUEUE}', json_build_object('index', i)) from generate_series(1, ${jobs}) i`,
    );
    return;
  }
  await savePlan(repositoryId, plan, jobs);
}

/** The next message of a child; its end without one breaks the benchmark. */
const message = (child: ChildProcess): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const ended = (code: number | null) =>
      reject(new Error(`A worker ended with ${code} before it answered.`));
    child.once("exit", ended);
    child.once("message", (value) => {
      child.off("exit", ended);
      resolve(value);
    });
  });

try {
  await runSuite();
} finally {
  await server.stop();
}
process.exit();
