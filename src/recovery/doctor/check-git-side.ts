import { knownAgents, type KnownAgent, type RunSettings, runSettingsOf } from "../../agents/index.ts";
import { Failure, few, isOlder, LOCK_REASON, orNothing, plural } from "../../domain/index.ts";
import type { ListedWorktree, Ports } from "../../platform/ports/index.ts";
import { check, type CheckResult, type DoctorCheck } from "./check.ts";
import { removeMissing } from "../../worktrees/index.ts";

/** What Pawl asks of git, and since when git can. */
const FEATURES = [
  { name: "worktree list -z", since: "2.36" },
  { name: "merge-tree --write-tree", since: "2.38" },
] as const;

/** A lock of git that is older than any command of ours waits for it. */
const OLD_LOCK_MS = 60_000;

/** The part of `doctor` that looks at worktrees, branches and what is on PATH. */
export const GIT_CHECKS = {
  repository: { run: async ({ ports }) => checkRepository(ports) },
  git_features: { run: ({ ports }) => checkFeatures(ports) },
  git_commits: { run: ({ ports }) => checkCommits(ports) },
  worktrees: { run: ({ ports, fix, fixed }) => checkWorktrees(ports, fix, fixed) },
  git_locks: { run: ({ ports, fix, fixed }) => checkLocks(ports, fix, fixed) },
  kept_work: { run: ({ ports }) => checkKeptWork(ports) },
  leftovers: { needs: "no damage", run: ({ ports }) => checkLeftovers(ports) },
  agents: { run: ({ ports }) => checkAgents(ports) },
  sandbox: { run: ({ ports }) => checkSandbox(ports) },
} as const satisfies Readonly<Record<string, DoctorCheck>>;

/** Where everything is, and whether the key that tells our own commits from others' can be used. */
function checkRepository({ repository, stateDir, signer }: Ports): CheckResult {
  const details = {
    common_dir: repository.commonDir,
    top_level: repository.topLevel ?? null,
    state_dir: stateDir,
    has_signing_key: signer.signatureOf("") !== undefined,
  };
  return check("pass", `All worktrees share ${repository.commonDir}.`, details);
}

async function checkFeatures({ git }: Ports): Promise<CheckResult> {
  const version = await git.version();
  const missing = FEATURES.filter(({ since }) => isOlder(version, since));
  const details = { version, missing: missing.map(({ name }) => name) };
  if (missing.length === 0) return check("pass", "git has every feature that Pawl uses.", details);
  const what = missing.map(({ name, since }) => `${name} (${since})`).join(", ");
  return check("warn", `git ${version} cannot do: ${what}.`, details);
}

/** What a run would be refused by, reported before it is started. */
async function checkCommits(ports: Ports): Promise<CheckResult> {
  const [problem, listed] = await Promise.all([
    ports.git.identityProblem(),
    ports.worktrees().then((worktrees) => worktrees.list()),
  ]);
  const isUnborn = await hasNoCommit(ports, listed);
  const details = { has_identity: problem === undefined, has_commit: !isUnborn };
  const wanting = [
    ...(problem === undefined
      ? []
      : ["Git has no author to commit as: set `git config user.name` and `user.email`."]),
    ...(isUnborn ? ["There is no commit yet, and worktrees start from one: `git commit` the plan."] : []),
  ];
  return wanting.length === 0
    ? check("pass", "Commits can be made, and worktrees start from one.", details)
    : check("warn", wanting.join(" "), details);
}

/** A bare repository has no checkout to look at, but a branch that HEAD names. */
async function hasNoCommit(ports: Ports, listed: readonly ListedWorktree[]): Promise<boolean> {
  const checkouts = listed.filter(({ isBare }) => !isBare);
  if (checkouts.length > 0) return checkouts.every(({ head }) => head === undefined);
  const branches = await ports.branches();
  const current = await branches.current();
  return current !== undefined && !(await branches.exists(current));
}

async function checkWorktrees(ports: Ports, fix: boolean, fixed: string[]): Promise<CheckResult> {
  const worktrees = await ports.worktrees();
  const [listed, strays] = [await worktrees.list(), await worktrees.unlisted()];
  const missing = listed.filter(({ isMissing }) => isMissing);
  const left: ListedWorktree[] = [];
  const half = await halfForward(ports, listed, fix, fixed);
  for (const worktree of missing) {
    if (fix && (await mayBeForgotten(ports, worktree))) {
      const movedTo = (await removeMissing(ports, worktree)).map(({ ref }) => ref);
      const what =
        movedTo.length === 0 ? "whose folder is gone" : `whose files are now in ${movedTo.join(", ")}`;
      fixed.push(`git forgot the worktree ${worktree.path}, ${what}; its branch ${worktree.branch} stays`);
    } else left.push(worktree);
  }
  const foreign = listed
    .filter(({ isMain, lock }) => !isMain && lock !== LOCK_REASON)
    .map(({ path }) => path);
  const problems = [
    ...left.map(({ path, branch }) => {
      const what = worktrees.occupantOf(path) === "nothing" ? "the folder" : "its .git";
      return `${path}: ${what} is gone (${branch ?? "detached"})`;
    }),
    ...half.map((path) => `${path}: a merge into it was interrupted; \`pawl worktree merge\` continues it`),
    ...strays.map(({ path, kind }) => `${path}: ${STRAYS[kind]}`),
    ...listed.flatMap((worktree) => unusable(ports, worktree)),
  ];
  const details = {
    listed: listed.length,
    missing: left.map(({ path }) => path),
    prunable: listed.filter(({ prunable }) => prunable !== undefined).map(({ path }) => path),
    strays,
    foreign,
    problems,
  };
  return problems.length === 0
    ? check("pass", `${listed.length} listed, each in its place.`, details)
    : check(
        "warn",
        `${problems.length} of the worktrees ${problems.length === 1 ? "needs" : "need"} a look.`,
        details,
      );
}

/** Checkouts that a killed merge left between two states, and that could not be brought on now. */
async function halfForward(
  ports: Ports,
  listed: readonly ListedWorktree[],
  fix: boolean,
  fixed: string[],
): Promise<readonly string[]> {
  const worktrees = await ports.worktrees();
  const half = listed.filter((one) => !one.isBare && !one.isMissing && worktrees.isHalfForward(one));
  const left: string[] = [];
  for (const { path } of half) {
    const became = fix ? await finish(ports, path) : undefined;
    if (became === undefined) left.push(path);
    else fixed.push(`the interrupted merge into ${path} ${became}`);
  }
  return left;
}

/** What became of an interrupted merge, in words; undefined when it is still as it was. */
async function finish(ports: Ports, path: string): Promise<string | undefined> {
  try {
    const commit = await (await ports.worktrees()).finishForward(ports.repository.worktree(path));
    return commit === undefined
      ? "could not continue and was undone"
      : `was finished, at ${commit.slice(0, 12)}`;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const files = error.details["files"];
    return error.problem === "merge/taken-back" && Array.isArray(files)
      ? `could not continue and was undone; these files changed since and stay as they are: ${files.join(", ")}`
      : undefined;
  }
}

const STRAYS = {
  "plain-folder": "a folder that is no worktree; git would work on the checkout around it",
  rescued: "files of a worktree that was no longer one; take out what you need and delete the rest",
  "other-repository": "belongs to another repository",
  unlisted: "git does not list it",
} as const;

/** Nothing is lost: the branch holds the commits, and nothing was staged or detached. Otherwise the entry stays. */
async function mayBeForgotten(ports: Ports, worktree: ListedWorktree): Promise<boolean> {
  const [worktrees, branches] = await Promise.all([ports.worktrees(), ports.branches()]);
  const ref = `refs/heads/${worktree.branch}`;
  if (worktree.branch === undefined || worktree.operation !== undefined) return false;
  if (worktree.lock !== undefined && worktree.lock !== LOCK_REASON) return false;
  const isKept = (await branches.commits([ref])).has(ref);
  return isKept && (await worktrees.loneCommits(worktree)).length === 0;
}

function unusable(
  { repository }: Ports,
  { path, isMissing, isBare, isMain }: ListedWorktree,
): readonly string[] {
  if (isMissing || isBare || isMain) return [];
  try {
    repository.worktree(path);
    return [];
  } catch (error) {
    if (error instanceof Failure) return [error.message];
    throw error;
  }
}

async function checkLocks(ports: Ports, fix: boolean, fixed: string[]): Promise<CheckResult> {
  if (fix && (await (await ports.branches()).finishMark()))
    fixed.push("removed the lock of git's configuration that a killed Pawl command left");
  const locks = (await ports.worktrees()).lockFiles().filter(({ ageMs }) => ageMs > OLD_LOCK_MS);
  return locks.length === 0
    ? check("pass", "No git lock is left over.")
    : check(
        "warn",
        `${plural(locks.length, "lock file")} of git: a git command still runs, or one was killed.`,
        { problems: locks.map(({ path, ageMs }) => `${path}: ${Math.round(ageMs / 1000)} s old`) },
      );
}

async function checkKeptWork(ports: Ports): Promise<CheckResult> {
  const { counts, bytes } = await (await ports.branches()).keptRefs();
  const { snapshots = 0, rescue = 0, late = 0 } = counts;
  const what = [
    plural(snapshots, "snapshot"),
    plural(rescue, "rescued branch", "rescued branches"),
    plural(late, "late result"),
  ];
  const size = bytes === 0 ? "" : `, ${Math.ceil(bytes / 1024)} KiB that nothing else holds`;
  return check("pass", `${what.join(", ")}${size}.`, { snapshots, rescue, late, bytes });
}

/** What `pawl gc` would remove now. */
async function checkLeftovers(ports: Ports): Promise<CheckResult> {
  const { findGarbage } = await import("../gc/gc.ts");
  const found = (await findGarbage(ports, {})).filter(({ stays }) => stays === undefined);
  const aside = (await ports.leftovers()).aside().map(({ path }) => path);
  const bytes = found.reduce((sum, one) => sum + one.bytes, 0);
  const details = { count: found.length, bytes, kinds: countBy(found.map(({ kind }) => kind)), aside };
  const lies = aside.length === 0 ? "" : ` Set aside after damage: ${few(aside)}.`;
  if (found.length === 0) return check("pass", `\`pawl gc\` has nothing to remove.${lies}`, details);
  const size = bytes === 0 ? "" : `, ${Math.ceil(bytes / 1024)} KiB`;
  const what = `${plural(found.length, "leftover")} of finished work${size}`;
  return check("pass", `${what}; \`pawl gc --dry-run\` lists what it would remove.${lies}`, details);
}

const countBy = (names: readonly string[]): Readonly<Record<string, number>> =>
  Object.fromEntries([...new Set(names)].map((name) => [name, names.filter((one) => one === name).length]));

const NO_AGENT =
  "No agent is installed. Install one, name its program in pawl.toml, or run any program: `pawl run plan.md -- ./my-agent`.";

/** Which agents a run could start: those on PATH, and those whose program pawl.toml names. */
async function checkAgents(ports: Ports): Promise<CheckResult> {
  const settings = readable(ports);
  if (settings === undefined)
    return check("warn", "Which agents are installed is not known while pawl.toml cannot be read.");
  const known = await knownAgents(ports, settings);
  const installed = known.filter(({ path }) => path !== null);
  const found = Object.fromEntries(installed.map(({ name, path }) => [name, path]));
  // A path may be of a file that only worktrees have, so only names are missed.
  const missing = known.filter(
    ({ isChosen, path, program }) => isChosen && path === null && !program.includes("/"),
  );
  if (missing.length > 0)
    return check(
      "warn",
      missing
        .map(({ name, program }) => `pawl.toml names the agent ${name}, but ${program} is not on PATH.`)
        .join(" "),
      { found },
    );
  return installed.length === 0
    ? check("warn", NO_AGENT, { found })
    : check("pass", `Installed: ${installed.map(agentText).join(", ")}.`, { found });
}

/** What is wrong with the settings is said by a check of its own. */
function readable(ports: Ports): RunSettings | undefined {
  try {
    return runSettingsOf(ports);
  } catch (error) {
    return orNothing(error);
  }
}

/** With its program, where that has another name. */
const agentText = ({ name, program }: KnownAgent): string =>
  name === program ? name : `${name} (${program})`;

/** Whether agents can be contained here, and what to install where they cannot. */
async function checkSandbox(ports: Ports): Promise<CheckResult> {
  const { system, bubblewrap, bubblewrapProblem, hasSocat } = await (await ports.sandbox()).tools();
  const details = { bubblewrap: bubblewrap ?? null, socat: hasSocat };
  if (bubblewrapProblem !== undefined) {
    const what = `Agents without a sandbox of their own are not contained: ${bubblewrapProblem}.`;
    return check(
      "warn",
      system === "linux" ? `${what} Install bubblewrap and socat, and allow user namespaces.` : what,
      details,
    );
  }
  return hasSocat
    ? check("pass", "Agents can be contained: bubblewrap works, and socat is there.", details)
    : check("warn", "claude cannot be contained: socat is not installed. Install socat.", details);
}
