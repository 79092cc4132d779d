import { existsSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { readSettings } from "./config/read-settings.ts";
import { Failure } from "./domain/errors.ts";
import { findRepository } from "./git/find-repository.ts";
import { lifelineFiles } from "./os/lifeline-files.ts";
import { nodeFiles } from "./os/node-files.ts";
import { procProcesses } from "./os/proc-processes.ts";
import { repositoryPlans } from "./os/repository-plans.ts";
import { newId, sha256 } from "./os/node-crypto.ts";
import { systemClock } from "./os/system-clock.ts";
import { thisMachine } from "./os/this-machine.ts";
import type { Clock } from "./ports/clock.ts";
import type { Database } from "./ports/database.ts";
import type { Git } from "./ports/git.ts";
import type { Ports, StoreKind } from "./ports/index.ts";
import type { Repository } from "./ports/repository.ts";
import { openSqlite } from "./store/sqlite/open-sqlite.ts";

export type Env = Readonly<Record<string, string | undefined>>;

export interface World {
  readonly cwd: string;
  readonly env: Env;
  /** Other clocks are for tests. */
  readonly clock?: Clock;
  /** Hears what went wrong beside a call that succeeded. */
  readonly notice?: (notice: Failure) => void;
}

/** The only place that knows both the ports and what stands behind them. */
export async function compose({ cwd, env, clock = systemClock, notice }: World): Promise<Ports> {
  const repository = findRepository(cwd, process.geteuid?.(), env);
  const stateDir = env["PAWL_STATE_DIR"]
    ? resolve(cwd, env["PAWL_STATE_DIR"])
    : join(repository.commonDir, "pawl");
  const settings = await readSettings(repository.mainTopLevel ?? repository.topLevel);
  const url = env["PAWL_DATABASE_URL"] || settings.database_url;
  const machine = thisMachine(env);
  const git = lazyGit(repository.commonDir, env);
  const shared =
    url === undefined
      ? undefined
      : { url, repositoryId: env["PAWL_REPOSITORY_ID"] || settings.repository_id };
  const stores: Readonly<Record<StoreKind, Open>> = {
    sqlite: embeddedStore(stateDir, clock),
    postgres: shared ? sharedStore(stateDir, git, shared) : noServer,
  };
  const worktreePrefix = () => `${machine.hostId}/${cloneId(stateDir)}/`;
  return {
    database: opensOnce(stores[shared ? "postgres" : "sqlite"]),
    openStore: (kind, options) => stores[kind](options),
    worktreePrefix,
    storeIsShared: shared !== undefined,
    clock,
    machine,
    files: nodeFiles,
    git,
    lifelines: lifelineFiles(join(stateDir, "lifelines")),
    plans: repositoryPlans(repository, nodeFiles, cwd),
    processes: procProcesses,
    repository: shared ? withGlobalIds(repository, worktreePrefix) : repository,
    settings,
    stateDir,
    newId,
    sha256,
    ...(notice ? { notice } : {}),
  };
}

type Open = (options: NonNullable<Parameters<Ports["database"]>[0]>) => Promise<Database>;

function opensOnce(open: Open): Ports["database"] {
  let opened: Promise<Database> | undefined;
  return (options) => {
    opened ??= open(options ?? { create: false }).catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
}

/** Made with the database: where it is and the database is not, one was lost, and that is no fresh start. */
const MARK = "ID";

const embeddedStore =
  (stateDir: string, clock: Clock): Open =>
  async ({ create, evenIfLost = false }) => {
    const path = join(stateDir, "state.db");
    // The mark is looked at first: it is made last, so whoever sees it must see a database with content.
    const isMarked = existsSync(join(stateDir, MARK));
    const bytes = sizeOf(path);
    // An empty file would take a new schema without a word: a database was lost all the same.
    if (isMarked && !bytes && !evenIfLost) {
      const what = bytes === 0 ? "is empty now" : "is gone";
      throw new Failure("store/missing", `The database ${path} was here and ${what}.`, { path });
    }
    if (bytes === undefined) {
      if (!create)
        throw new Failure("plan/not-initialised", "No plan has state in this repository yet.", { path });
      makeStateDir(stateDir);
    }
    refuseShared(stateDir);
    const database = await openSqlite({ path, clock, create });
    onceOnly(join(stateDir, MARK));
    return database;
  };

function sizeOf(path: string): number | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })?.size;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Failure(
      "store/open-failed",
      `${path} cannot be reached (${code}).`,
      { path },
      { cause: error },
    );
  }
}

interface SharedStore {
  readonly url: string;
  readonly repositoryId: string | undefined;
}

const sharedStore =
  (stateDir: string, git: Git, { url, repositoryId }: SharedStore): Open =>
  async ({ create }) => {
    const { openPostgres } = await import("./store/postgres/open-postgres.ts");
    return openPostgres({ url, repositoryId: repositoryId ?? (await sharedId(stateDir, git)), create });
  };

const noServer: Open = () => {
  throw new Failure(
    "store/open-failed",
    "No server is configured.",
    {},
    {
      hint: "Set PAWL_DATABASE_URL, or database_url in pawl.toml.",
    },
  );
};

/** What this repository is called on a server: the same in every clone. Worked out once per clone. */
async function sharedId(stateDir: string, git: Git): Promise<string> {
  const path = join(stateDir, "repository-id");
  if (existsSync(path)) return readFileSync(path, "utf8").trim();
  const { roots, remote } = await git.origin();
  if (roots.length === 0)
    throw new Failure(
      "repository/unidentified",
      "This repository has no first commit to be known by on the server.",
      {},
    );
  const id = sha256(JSON.stringify([roots[0], remote ?? null])).slice(0, 24);
  makeStateDir(stateDir);
  nodeFiles.replace(path, `${id}\n`);
  return id;
}

/** Tells this clone from other clones on the same machine. */
const cloneId = (stateDir: string): string => {
  makeStateDir(stateDir);
  return onceOnly(join(stateDir, "clone-id"));
};

/** A random id in a file that is written once, whoever comes first. */
function onceOnly(path: string): string {
  if (!existsSync(path)) {
    try {
      nodeFiles.create(path, `${newId()}\n`);
    } catch (error) {
      // Somebody else made it first; theirs counts.
      if (!(error instanceof Failure && error.problem === "file/exists")) throw error;
    }
  }
  return readFileSync(path, "utf8").trim();
}

/** On a shared server two clones may both have a worktree called `main`. */
function withGlobalIds(repository: Repository, prefix: () => string): Repository {
  return {
    ...repository,
    worktree(path) {
      const worktree = repository.worktree(path);
      return { ...worktree, id: `${prefix()}${worktree.id}` };
    },
  };
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
    missingCommits: async (names) => (await git()).missingCommits(names),
    remoteBranchOf: async (commit) => (await git()).remoteBranchOf(commit),
    origin: async () => (await git()).origin(),
    holdCommit: async (ref, commit) => (await git()).holdCommit(ref, commit),
    planCommits: async (query) => (await git()).planCommits(query),
  };
}
