import { createHash, randomUUID } from "node:crypto";
import { existsSync, mkdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { Failure } from "./domain/errors.ts";
import { findRepository } from "./git/find-repository.ts";
import { lifelineFiles } from "./os/lifeline-files.ts";
import { nodeFiles } from "./os/node-files.ts";
import { procProcesses } from "./os/proc-processes.ts";
import { repositoryPlans } from "./os/repository-plans.ts";
import { systemClock } from "./os/system-clock.ts";
import { thisMachine } from "./os/this-machine.ts";
import type { Clock } from "./ports/clock.ts";
import type { Database } from "./ports/database.ts";
import type { Git } from "./ports/git.ts";
import type { Ports } from "./ports/index.ts";
import { openSqlite } from "./store/sqlite/open-sqlite.ts";

export type Env = Readonly<Record<string, string | undefined>>;

export interface World {
  readonly cwd: string;
  readonly env: Env;
  /** Other clocks are for tests. */
  readonly clock?: Clock;
}

/** The only place that knows both the ports and what stands behind them. */
export function compose({ cwd, env, clock = systemClock }: World): Ports {
  const repository = findRepository(cwd, process.getuid?.(), env);
  const stateDir = env["PAWL_STATE_DIR"]
    ? resolve(cwd, env["PAWL_STATE_DIR"])
    : join(repository.commonDir, "pawl");
  const database = databaseOpener(stateDir, clock);
  return {
    database,
    clock,
    machine: thisMachine(env),
    files: nodeFiles,
    git: lazyGit(repository.commonDir, env),
    lifelines: lifelineFiles(join(stateDir, "lifelines")),
    plans: repositoryPlans(repository, nodeFiles, cwd),
    processes: procProcesses,
    repository,
    stateDir,
    newId: randomUUID,
    sha256: (text) => createHash("sha256").update(text).digest("hex"),
  };
}

/** Says that a database was made here once: a missing one is then a loss to be told, not a fresh start. */
const MARK = "ID";

function databaseOpener(stateDir: string, clock: Clock): Ports["database"] {
  let opened: Promise<Database> | undefined;
  return (options) => {
    opened ??= open(stateDir, clock, options ?? { create: false }).catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
}

type OpenOptions = NonNullable<Parameters<Ports["database"]>[0]>;

async function open(
  stateDir: string,
  clock: Clock,
  { create, evenIfLost = false }: OpenOptions,
): Promise<Database> {
  const path = join(stateDir, "state.db");
  const mark = join(stateDir, MARK);
  if (!existsSync(path)) {
    if (existsSync(mark) && !evenIfLost)
      throw new Failure("store/missing", `The database ${path} was here and is gone.`, { path });
    if (!create)
      throw new Failure("plan/not-initialised", "No plan has state in this repository yet.", { path });
    makeStateDir(stateDir);
  }
  refuseShared(stateDir);
  const database = await openSqlite({ path, clock, create });
  if (!existsSync(mark)) nodeFiles.replace(mark, `${randomUUID()}\n`);
  return database;
}

function makeStateDir(stateDir: string): void {
  try {
    mkdirSync(stateDir, { recursive: true, mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Failure(
      "store/read-only",
      `${stateDir} cannot be made (${code}).`,
      { path: stateDir },
      { cause: error },
    );
  }
}

/** Whoever can write the folder can hand out other people's steps. */
function refuseShared(stateDir: string): void {
  const { mode } = statSync(stateDir);
  if ((mode & 0o002) === 0) return;
  throw new Failure(
    "store/open-failed",
    `Anybody on this machine can write to ${stateDir}.`,
    { path: stateDir },
    {
      hint: `Make it private: \`chmod o-w ${stateDir}\`.`,
    },
  );
}

/** Git is a process; most verbs never need one. */
function lazyGit(gitDir: string, env: Env): Git {
  const git = async () => (await import("./git/git-cli.ts")).gitCli({ gitDir, env });
  return {
    version: async () => (await git()).version(),
    commitExists: async (name) => (await git()).commitExists(name),
    holdCommit: async (ref, commit) => (await git()).holdCommit(ref, commit),
    planCommits: async (query) => (await git()).planCommits(query),
  };
}
