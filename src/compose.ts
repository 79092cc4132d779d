import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { readSettings, readShared, serverUrl, settingsPath } from "./platform/config/index.ts";
import { Failure } from "./domain/index.ts";
import {
  findRepository,
  loadAbandonedLock,
  loadBranchesByGit,
  loadCommitsCli,
  loadDamageByGit,
  loadGitCli,
  loadGitSnapshots,
  loadTracesOfUse,
  loadWorktreesByGit,
} from "./platform/git/index.ts";
import {
  lifelineFiles,
  loadLockFiles,
  openEmbedded,
  sqliteMovedMarker,
  loadReadTugstate,
} from "./platform/sqlite/index.ts";
import { lazy, lazyDatabase, loadSleep, type Open } from "./platform/index.ts";
import {
  bindToRepository,
  idIn,
  loadAgentEnvironment,
  loadHostedRequests,
  loadLeftovers,
  loadMachineSandbox,
  loadPathCommands,
  loadWebPost,
  loadPawlBinFolder,
  loadProcessTable,
  loadRedact,
  loadServerForAgents,
  loadStepHeartbeats,
  loadSupervise,
  machineIdentity,
  makeStateFolder,
  newId,
  nodeFiles,
  procProcesses,
  refuseForeign,
  refuseWindows,
  sha256,
  signingKey,
  systemClock,
} from "./platform/os/index.ts";
import { repositoryPlans } from "./plans/index.ts";
import type { AgentSituation, Clock, Git, Ports, Repository, StoreKind } from "./platform/ports/index.ts";
import { loadFacts, loadOpenPostgres } from "./platform/postgres/index.ts";

export type Env = Readonly<Record<string, string | undefined>>;

export interface World {
  readonly cwd: string;
  readonly env: Env;
  /** Other clocks are for tests. */
  readonly clock?: Clock;
  /** The file that this program was started from, for agents that call it; undefined in other programs. */
  readonly program?: string | undefined;
  /** Hears what went wrong beside a call that succeeded. */
  readonly notice?: (notice: Failure) => void;
}

/** The only place that knows both the ports and what stands behind them. */
export async function compose({ cwd, env, clock = systemClock, program, notice }: World): Promise<Ports> {
  refuseWindows(process.platform);
  const repository = findRepository(cwd, process.geteuid?.(), env);
  const stateDir = stateFolder(repository, env);
  const makeFolder = () => {
    makeStateFolder(stateDir);
    if (env["PAWL_STATE_DIR"]) bindToRepository(stateDir, repository.commonDir);
  };
  // Beside the state folder, so that it outlives it.
  const keyDir = join(repository.commonDir, "pawl-proof");
  const traces = async () => (await loadTracesOfUse()).tracesOfUse(repository.commonDir, keyDir);
  const settingsFile = settingsPath(repository.mainTopLevel, stateDir);
  const settings = await readSettings(settingsFile);
  const url = serverUrl(env, settings);
  const machine = machineIdentity(env, url !== undefined);
  const git = lazyGit(repository.commonDir, env);
  const shared =
    url === undefined
      ? undefined
      : { url, repositoryId: env["PAWL_REPOSITORY_ID"] || settings.repository_id };
  const stores: Readonly<Record<StoreKind, Open>> = {
    sqlite: (options) => openEmbedded({ stateDir, makeFolder, clock, traces }, options),
    postgres: shared ? sharedStore(stateDir, git, shared) : noServer,
  };
  const worktreePrefix = () => `${machine.hostId}/${cloneId(stateDir)}/`;
  const side = gitSide({ repository, env, clock, settings, stateDir, notice });
  return {
    database: lazyDatabase(stores[shared ? "postgres" : "sqlite"]),
    openStore: (kind, options) => stores[kind](options),
    lookAtServer: shared && serverLook(stateDir, git, shared),
    moved: sqliteMovedMarker(stateDir),
    worktreePrefix,
    hostIn: (kind) => machineIdentity(env, kind === "postgres").hostId,
    storeIsShared: shared !== undefined,
    caller: { folder: repository.topLevel ?? cwd, session: env["PAWL_SESSION"] || undefined },
    clock,
    machine,
    files: nodeFiles,
    git,
    ...side,
    signer: signingKey(stateDir, keyDir),
    lifelines: lifelineFiles(join(stateDir, "lifelines")),
    plans: repositoryPlans(repository, nodeFiles, cwd),
    post: lazy(async () => (await loadWebPost()).webPost(env)),
    processes: procProcesses,
    requests: lazy(async () =>
      (await loadHostedRequests()).hostedRequests({ repository, env, settings, ...side }),
    ),
    running: lazy(() =>
      runningSide({ cwd, env, clock, program, machine, settings, stateDir, commonDir: repository.commonDir }),
    ),
    sandbox: lazy(async () => (await loadMachineSandbox()).machineSandbox(env, side.commands)),
    repository: shared ? withGlobalIds(repository, worktreePrefix) : repository,
    settings,
    settingsFile,
    stateDir,
    newId,
    sha256,
    ...(notice ? { notice } : {}),
  };
}

function stateFolder({ commonDir, mainTopLevel }: Repository, env: Env): string {
  const elsewhere = env["PAWL_STATE_DIR"];
  if (!elsewhere) return join(commonDir, "pawl");
  const folder = resolve(mainTopLevel ?? commonDir, elsewhere);
  refuseForeign(folder, commonDir);
  return folder;
}

interface GitSide extends Pick<Ports, "clock" | "repository" | "settings" | "stateDir"> {
  readonly env: Env;
  readonly notice: World["notice"];
}

/** What works with worktrees, branches and commits. None of it is on the way of a claim, so each loads when it is asked for. */
function gitSide({ repository, env, clock, settings, stateDir, notice }: GitSide) {
  const { commonDir } = repository;
  const setting = { gitDir: commonDir, env };
  /** Whatever may wait for a lock of git's says when it moved one aside. */
  const waiting = async <T>(part: Promise<T>): Promise<T> => {
    (await loadAbandonedLock()).onAbandonedLock(notice);
    return part;
  };
  const locks = lazy(async () => (await loadLockFiles()).lockFiles(join(commonDir, "pawl", "locks")));
  const worktrees = lazy(async () =>
    (await waiting(loadWorktreesByGit())).worktreesByGit({
      ...setting,
      repository,
      files: nodeFiles,
      locks,
      worktreeDir: settings.worktree_dir,
      shared: () => readShared(settings),
    }),
  );
  const branches = lazy(async () =>
    (await waiting(loadBranchesByGit())).branchesByGit({
      ...setting,
      files: nodeFiles,
      locks,
      scratchFolder: (await worktrees()).pathFor("."),
    }),
  );
  const snapshots = lazy(async () =>
    (await loadGitSnapshots()).gitSnapshots({
      commonDir,
      env,
      clock,
      scratchDir: join(stateDir, "scratch"),
      ignored: settings.snapshot_ignored ?? false,
    }),
  );
  const commits = lazy(async () => (await waiting(loadCommitsCli())).commitsCli(env));
  const commands = lazy(async () => (await loadPathCommands()).pathCommands(env));
  const damage = lazy(async () => (await loadDamageByGit()).damageByGit({ ...setting, worktrees }));
  const leftovers = lazy(async () => (await loadLeftovers()).leftoversOf({ stateDir, commonDir }));
  const tugstate = lazy(async () => (await loadReadTugstate()).readTugstate);
  return { locks, worktrees, branches, snapshots, commits, commands, damage, leftovers, tugstate };
}

type RunningSide = Pick<World, "cwd" | "env" | "program"> &
  Pick<Ports, "clock" | "machine" | "settings" | "stateDir"> & { readonly commonDir: string };

/** What only runs need. Nothing of it is loaded for the verbs that agents call. */
async function runningSide(side: RunningSide) {
  const { cwd, env, clock, program, machine, settings, stateDir, commonDir } = side;
  const [
    { supervisor },
    { processTable },
    { stepHeartbeats },
    { agentEnvironment },
    { secretsIn },
    { pawlBinFolder },
    { serverForAgents },
    { sleep },
  ] = await Promise.all([
    loadSupervise(),
    loadProcessTable(),
    loadStepHeartbeats(),
    loadAgentEnvironment(),
    loadRedact(),
    loadPawlBinFolder(),
    loadServerForAgents(),
    loadSleep(),
  ]);
  // Only once an agent is about to start: settling a limit or a mismatch needs neither.
  let extras: ReturnType<typeof forAgents> | undefined;
  const forAgents = () => ({
    server: serverForAgents({ env, url: serverUrl(env, settings) }, stateDir),
    folder: program === undefined ? undefined : pawlBinFolder(commonDir, program),
  });
  return {
    supervisor: supervisor({ clock, machine, table: processTable }),
    heartbeats: stepHeartbeats({ cwd, env: { ...env } }),
    environment(situation: AgentSituation) {
      extras ??= forAgents();
      return agentEnvironment(env, situation, {
        variables: extras.server.variables,
        folder: extras.folder,
        isPublished: settings.publish !== undefined,
      });
    },
    secrets: () => ({ ...secretsIn(env), ...extras?.server.secrets }),
    logFolder: (session: string) => join(stateDir, "logs", session),
    sleep,
  };
}

interface SharedStore {
  readonly url: string;
  readonly repositoryId: string | undefined;
}

const sharedStore =
  (stateDir: string, git: Git, { url, repositoryId }: SharedStore): Open =>
  async ({ create, evenIfMoved }) => {
    const { openPostgres } = await loadOpenPostgres();
    const id = repositoryId ?? (await sharedId(stateDir, git));
    return openPostgres({ url, repositoryId: id, create, evenIfMoved });
  };

const serverLook =
  (stateDir: string, git: Git, { url, repositoryId }: SharedStore): Ports["lookAtServer"] =>
  async () => {
    const { lookAtServer } = await loadFacts();
    return lookAtServer(url, repositoryId ?? (await sharedId(stateDir, git)));
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
  makeStateFolder(stateDir);
  nodeFiles.replace(path, `${id}\n`);
  return id;
}

/** Tells this clone from other clones on the same machine. */
const cloneId = (stateDir: string): string => {
  makeStateFolder(stateDir);
  return idIn(join(stateDir, "clone-id"));
};

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

/** Git is a process; most verbs never need one. */
function lazyGit(gitDir: string, env: Env): Git {
  const git = async () => (await loadGitCli()).gitCli({ gitDir, env });
  return {
    version: async () => (await git()).version(),
    identityProblem: async () => (await git()).identityProblem(),
    commitExists: async (name, worktree) => (await git()).commitExists(name, worktree),
    unreachable: async (names, refs) => (await git()).unreachable(names, refs),
    missingCommits: async (names) => (await git()).missingCommits(names),
    remoteBranchOf: async (commit, remote) => (await git()).remoteBranchOf(commit, remote),
    origin: async () => (await git()).origin(),
    holdCommit: async (ref, commit) => (await git()).holdCommit(ref, commit),
    flush: async (commits) => (await git()).flush(commits),
    changes: async (stretches) => (await git()).changes(stretches),
    committedFiles: async (path) => (await git()).committedFiles(path),
    commitText: async (commit) => (await git()).commitText(commit),
    planCommits: async (query) => (await git()).planCommits(query),
  };
}
