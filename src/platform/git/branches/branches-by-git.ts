import { join } from "node:path";
import { Failure, refName } from "../../../domain/index.ts";
import type { Branches, Divergence, Files, Locks } from "../../ports/index.ts";
import { holdCommit } from "../refs/hold-commit.ts";
import { flushCommits } from "../objects/flush-objects.ts";
import { flushRef } from "../refs/flush-ref.ts";
import { looseBase, looseCommit } from "../objects/loose-commit.ts";
import { nameCommits } from "../refs/name-commits.ts";
import { retryLocked } from "../locks/retry-locked.ts";
import { readRef } from "../refs/read-ref.ts";
import { gitRunner, type GitSetting, type RunGit } from "../process/run-git.ts";
import { PAWL_IDENTITY } from "../process/pawl-identity.ts";
import { withoutPrograms } from "../process/without-programs.ts";
import { freeConfigLock } from "./append-setting.ts";
import { countKept, dropKept, isHeldByRef, listKept, refHolding } from "../refs/kept-refs.ts";
import { relativeRemotes } from "./relative-remotes.ts";
import { fetchBranch, pushBranch, silentNetwork, unreachable } from "./remote-branch.ts";
import { markBranch, planBranch, planBranches, readMarks, removeBranch } from "./plan-branches.ts";

export interface BranchesSetting extends GitSetting {
  readonly files: Files;
  readonly locks: () => Promise<Locks>;
  /** A folder of Pawl's own for checkouts that last as long as one call. */
  readonly scratchFolder: string;
}

/** The branches port by the `git` program of PATH, on the common git directory. */
export function branchesByGit(setting: BranchesSetting): Branches {
  const { gitDir: commonDir } = setting;
  const run = retryLocked(gitRunner(setting));
  const free = () => freeConfigLock(commonDir, setting.locks);
  const named = new Set<string>();
  const reaching = { run, env: setting.env, configFor: relativeRemotes(run, commonDir) };
  return {
    current: () => symbolic(run, "HEAD", "refs/heads/"),
    remoteHead: (remote) => symbolic(run, `refs/remotes/${remote}/HEAD`, "refs/remotes/"),
    async fetch(remote) {
      const args = [
        "fetch",
        "--quiet",
        "--no-auto-maintenance",
        "--no-write-fetch-head",
        "--end-of-options",
        remote,
      ];
      const config = await reaching.configFor(remote);
      const call = { args, config, timeoutMs: FETCH_MS, variables: silentNetwork(setting.env) };
      await run({ ...call, access: "write" }).catch((error: unknown) => {
        throw unreachable(error, remote);
      });
    },
    remoteUrl: async (remote) =>
      (await run({ args: ["remote", "get-url", remote], access: "read", answers: [2, 128] })).trim() ||
      undefined,
    fetchBranch: (remote, branch) => fetchBranch(reaching, remote, branch),
    push: (push) => pushBranch(reaching, push),
    commits: (names) => commitsOf({ run, commonDir, named }, names),
    exists: (branch) => exists(run, commonDir, `refs/heads/${branch}`),
    planBranches: () => planBranches(run, commonDir),
    planBranch: (name) => planBranch(run, commonDir, name),
    onNoBranch: (commits, except) => onNoBranch(run, commits, except),
    marks: () => readMarks(commonDir),
    mark: (branch, mark) => markBranch(run, commonDir, branch, mark),
    finishMark: free,
    rescue: async (name, commit) =>
      (await refHolding(run, commit)) ??
      (await holdCommit(
        { run, commonDir },
        `refs/pawl/rescue/${refName(name)}/${commit.slice(0, 12)}`,
        commit,
      )),
    listKept: () => listKept(run),
    dropKept: (kept) => dropKept(run, kept),
    keptRefs: () => countKept(run),
    isHeldElsewhere: (commit, except) => isHeldByRef(run, commit, except),
    remove: (branch, commit) => removeBranch(run, branch, { commit, free }),
    divergence: (base, branch) => divergence(run, base, branch),
    ...treePart(run, commonDir),
    ...mergePart(setting, run),
    advance: (branch, from, to, why = "merge") => advance({ run, commonDir }, { branch, from, to, why }),
  };
}

/** Trees without any checkout. */
const treePart = (
  run: RunGit,
  commonDir: string,
): Pick<Branches, "treeOf" | "firstParents" | "changedFiles" | "overlayTree"> => ({
  treeOf: async (commit) =>
    looseCommit(commonDir, commit)?.tree ??
    (await run({ args: ["rev-parse", "--verify", `${commit}^{tree}`], access: "read" })).trim(),
  firstParents: async (asked) => (await import("./first-parents.ts")).firstParents(run, asked),
  changedFiles: async (asked) => (await overlaying()).changedFiles(run, asked),
  overlayTree: async (asked) => (await overlaying()).overlayTree(run, commonDir, asked),
});

/** How branches differ, and how they come together. */
function mergePart(
  { gitDir: commonDir, files, scratchFolder, env }: BranchesSetting,
  run: RunGit,
): Pick<
  Branches,
  | "nearBase"
  | "mergeBase"
  | "landed"
  | "preview"
  | "mergedTree"
  | "commitTree"
  | "messages"
  | "patch"
  | "diffStat"
  | "stepsOf"
  | "commitMerge"
> {
  const look = withoutPrograms(run);
  return {
    nearBase: (one, other) => looseBase(commonDir, one, other),
    mergeBase: async (one, other) =>
      looseBase(commonDir, one, other) ?? (await merging()).mergeBase(run, one, other),
    landed: async (base, branch) => (await merging()).hasLanded(look, base, branch),
    preview: async (base, branch) => (await merging()).previewMerge(run, base, branch),
    mergedTree: async (base, branch) => (await merging()).mergedTree(run, commonDir, base, branch),
    async commitTree({ tree, parent, message }) {
      const { writeCommit } = await import("../objects/write-commit.ts");
      const made = writeCommit(commonDir, { tree, parent, message });
      if (made !== undefined) return made;
      const args = ["commit-tree", tree, "-p", parent, "-m", message];
      return (await run({ args, access: "keep", variables: PAWL_IDENTITY })).trim();
    },
    messages: async (base, tip) => (await merging()).messagesBetween(run, base, tip),
    patch: async (from, to, most) => (await merging()).patchBetween(run, { from, to, most }),
    diffStat: async (base, branch) => (await merging()).diffStat(run, base, branch),
    async stepsOf(base, branch) {
      const commits = (await (await merging()).branchLog(run, base, branch))
        .filter(({ isReverted }) => !isReverted)
        .toReversed();
      return commits.flatMap(({ steps, plan, commit, subject }) =>
        steps.map((step) => ({ plan, step, commit, subject })),
      );
    },
    commitMerge: async (request) =>
      (await merging()).commitMerge(
        {
          run,
          files,
          commonDir,
          env,
          scratch: join(scratchFolder, `.merge-${refName(request.branchName)}`),
        },
        request,
      ),
  };
}

const merging = () => import("../merge/merging.ts");
const overlaying = () => import("../files/overlay-tree.ts");

/** A network that hangs must not hold up work that could go on without it. */
const FETCH_MS = 2 * 60_000;

async function symbolic(run: RunGit, ref: string, prefix: string): Promise<string | undefined> {
  const answer = await run({ args: ["symbolic-ref", "--quiet", ref], access: "read", answers: [1] });
  const target = answer.trim();
  return target.startsWith(prefix) ? target.slice(prefix.length) : undefined;
}

interface Names {
  readonly run: RunGit;
  readonly commonDir: string;
  /** Commits that git has named before: a branch that still holds one needs no second question. */
  readonly named: Set<string>;
}

/** By git's files where those suffice, as for the branches that Pawl has just moved. */
async function commitsOf(
  { run, commonDir, named }: Names,
  names: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const plain = names
    .map((name) => [name, name.startsWith("refs/heads/") && readRef(commonDir, name)?.commit] as const)
    .filter(
      (pair): pair is [string, string] =>
        !!pair[1] && (named.has(pair[1]) || looseCommit(commonDir, pair[1]) !== undefined),
    );
  const known = new Map(plain);
  const asked = names.filter((name) => !known.has(name));
  if (asked.length === 0) return known;
  const answers = await nameCommits(run, asked);
  for (const commit of answers.values()) named.add(commit);
  return new Map([...known, ...answers]);
}

async function exists(run: RunGit, commonDir: string, ref: string): Promise<boolean> {
  const seen = readRef(commonDir, ref);
  return seen === undefined ? (await nameCommits(run, [ref])).has(ref) : seen.commit !== undefined;
}

async function divergence(run: RunGit, base: string, branch: string): Promise<Divergence> {
  if (base === branch) return { ahead: 0, behind: 0 };
  const answer = await run({
    args: ["rev-list", "--left-right", "--count", `${base}...${branch}`, "--"],
    access: "read",
  });
  const [behind = 0, ahead = 0] = answer.trim().split("\t").map(Number);
  return { ahead, behind };
}

/** One walk for all of them; nothing is known where it ends at something that is not there. */
async function onNoBranch(
  run: RunGit,
  commits: readonly string[],
  except: readonly string[],
): Promise<readonly string[]> {
  const full = commits.filter((commit) => /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(commit));
  if (full.length === 0) return [];
  const excluded = except.map((name) => `--exclude=${name}`);
  let code = 0;
  const answer = await run({
    args: ["rev-list", "--ignore-missing", "--stdin", "--not", ...excluded, "--branches", "--remotes"],
    access: "read",
    input: full.map((commit) => `${commit}\n`).join(""),
    answers: [128],
    onExit: (exit) => (code = exit),
  });
  const outside = new Set(code === 0 ? answer.split("\n") : []);
  return full.filter((commit) => outside.has(commit));
}

/** A compare-and-swap: a process that moved the branch meanwhile keeps what it did. */
async function advance(
  { run, commonDir }: { readonly run: RunGit; readonly commonDir: string },
  { branch, from, to, why }: Readonly<Record<"branch" | "from" | "to" | "why", string>>,
): Promise<boolean> {
  const ref = `refs/heads/${branch}`;
  // A branch that is on the disk before its commit would name nothing after a power cut.
  await flushCommits(run, commonDir, [to]);
  try {
    await run({ args: ["update-ref", "--no-deref", "-m", `pawl: ${why}`, ref, to, from], access: "write" });
    await flushRef(commonDir, ref);
    return true;
  } catch (error) {
    if (!(error instanceof Failure) || (await nameCommits(run, [ref])).get(ref) === from) throw error;
    return false;
  }
}
