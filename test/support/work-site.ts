import { mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { compose } from "../../src/compose.ts";
import { pawlOn } from "../../src/api.ts";
import { loadDriver } from "../../src/platform/sqlite/driver.ts";
import type { WorkerInput } from "../crash/programs/worker.ts";
import { checkWorld, familyOf } from "./check-world.ts";
import { checkHistory } from "./history-checker.ts";
import type { Neutralised } from "./neutralise.ts";
import { planText } from "./plans.ts";
import type { JournalLine } from "./replay-journal.ts";
import { cleanEnv, testRepository, type TestRepository } from "./repository.ts";
import { readLogs, type WorkerHistory } from "./worker-log.ts";

/** A repository with one big plan, and a linked worktree, a log and a flag for each worker. */
export interface WorkSite {
  readonly repo: TestRepository;
  readonly stateDir: string;
  readonly home: string;
  readonly worker: (index: number, seed: number, more?: Partial<WorkerInput>) => WorkerInput;
  readonly flagOf: (index: number) => number | undefined;
  readonly history: () => WorkerHistory;
  /** Everything that is wrong: the tables, the journal, and what workers received against both. */
  readonly violations: () => readonly string[];
  /** Facts about the ground the figures stand on. */
  readonly facts: () => { readonly engine: string; readonly events: number; readonly completed: number };
  readonly remove: () => void;
}

const PLAN = "plan.md";

export async function workSite(options: {
  readonly workers: number;
  readonly steps: number;
  readonly broken?: Neutralised;
}): Promise<WorkSite> {
  const { workers, steps, broken } = options;
  const repo = testRepository();
  const home = dirname(repo.path);
  const site = join(home, "site");
  mkdirSync(site);
  repo.write(PLAN, bigPlan(steps));
  const pawl = pawlOn(await compose({ cwd: repo.path, env: cleanEnv() }));
  await pawl.init({ plan: PLAN });
  await pawl.close();
  const worktrees = Array.from({ length: workers }, (_, index) => repo.addWorktree(`worker-${index}`));
  const path = (index: number, kind: string) => join(site, `worker-${index}.${kind}`);
  const stateDir = join(repo.path, ".git", "pawl");
  const history = () => readLogs(worktrees.map((_, index) => path(index, "log")));
  return {
    repo,
    stateDir,
    home,
    worker: (index, seed, more = {}) => ({
      name: `worker-${index}`,
      cwd: repo.path,
      worktree: worktrees[index]!,
      plan: PLAN,
      steps,
      log: path(index, "log"),
      flag: path(index, "flag"),
      seed,
      session: index % 2 === 1,
      most: 0,
      ...(broken === undefined ? {} : { broken }),
      ...more,
    }),
    flagOf: (index) => readFileSync(path(index, "flag"))[0],
    history,
    violations: () => violationsIn(stateDir, history()),
    facts: () => factsOf(stateDir),
    remove: repo.remove,
  };
}

/** Steps wait for the one eight places before them, so that there is always something free and something blocked. */
const bigPlan = (steps: number): string =>
  planText(
    Array.from({ length: steps }, (_, index) => ({
      number: String(index + 1),
      tasks: ["do it", "look at it"],
      ...(index >= 8 ? { dependsOn: [`step-${index - 7}`] } : {}),
    })),
  );

function open(stateDir: string) {
  return loadDriver().open(join(stateDir, "state.db"), { readOnly: true, timeout: 10_000 });
}

function violationsIn(stateDir: string, { calls, unexpected }: WorkerHistory): readonly string[] {
  const connection = open(stateDir);
  try {
    connection.exec("begin");
    const journal = connection.prepare("select * from events order by id").all() as unknown as JournalLine[];
    const steps = connection.prepare("select plan_path, anchor, parent_anchor from steps").all();
    return [
      ...checkWorld(connection),
      ...checkHistory(calls, journal, familyOf(steps as never)),
      ...unexpected.map((what) => `unexpected: ${what}`),
    ];
  } finally {
    // Closing alone would leave it open until its statements are collected, with the file locked.
    connection.exec("rollback");
    connection.close();
  }
}

function factsOf(stateDir: string) {
  const connection = open(stateDir);
  const one = (sql: string) => Object.values(connection.prepare(sql).get()!)[0];
  try {
    return {
      engine: `SQLite ${String(one("select sqlite_version()"))}`,
      events: Number(one("select count(*) from events")),
      completed: Number(one("select count(*) from steps where status = 'completed'")),
    };
  } finally {
    connection.close();
  }
}
