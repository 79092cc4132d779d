import { Failure } from "../domain/errors.ts";
import { BRANCH_PREFIX, planSlug } from "../domain/plan-branch.ts";
import type { Branches, StepOnBranch } from "../ports/branches.ts";
import type { Ports } from "../ports/index.ts";
import type { ListedWorktree } from "../ports/worktrees.ts";
import { journal } from "./journal.ts";
import { openIfThere, worktreeUse } from "./worktree-use.ts";

export interface MergeRequest {
  /** A plan, or a branch. */
  readonly target: string;
  readonly squash?: boolean | undefined;
  readonly ffOnly?: boolean | undefined;
  readonly into?: string | undefined;
  /** Says what would happen, and does nothing. */
  readonly dryRun?: boolean | undefined;
  /** The commits that somebody decided on; when a branch has moved since, nothing happens. */
  readonly seen?: SeenTips | undefined;
}

export interface SeenTips {
  readonly branchTip: string;
  readonly baseTip: string;
}

export interface MergeAnswer {
  readonly branchName: string;
  readonly baseBranch: string;
  /** Where the two were before. */
  readonly branchTip: string;
  readonly baseTip: string;
  readonly merged: boolean;
  /** The base has the work already; nothing was done. */
  readonly alreadyMerged: boolean;
  readonly how: "merge" | "squash" | "fast-forward" | null;
  readonly commitHash: string | null;
  readonly steps: readonly string[];
  readonly files: readonly string[];
  /** The checkout of the base that was brought along; null when nobody has it checked out. */
  readonly checkout: string | null;
  readonly warnings: readonly string[];
}

/** How often the base may move under us before somebody else is to blame. */
const ROUNDS = 5;

/**
 * Brings a plan's branch to its base.
 *
 * The merge is made in memory first, then as a commit that no branch knows, and only then does the base move, in one
 * step: where it is checked out, as a fast-forward that git makes whole or not at all; elsewhere by compare-and-swap.
 * So no checkout is ever half merged, and a crash leaves the base before or behind the merge.
 */
export async function mergeWorktree(ports: Ports, request: MergeRequest): Promise<MergeAnswer> {
  if (request.squash && request.ffOnly) {
    throw new Failure("usage/wrong", "--squash and --ff-only exclude each other.", {});
  }
  const locks = await ports.locks();
  return locks.during("merge", async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const answer = await attempt(ports, request);
      if (answer !== undefined) return answer;
    }
    throw new Failure("worktree/busy", "The base branch kept moving while it was being merged into.", {});
  });
}

/** Undefined when the base moved meanwhile. */
async function attempt(ports: Ports, request: MergeRequest): Promise<MergeAnswer | undefined> {
  const branches = await ports.branches();
  const subject = await subjectOf(ports, branches, request);
  const { branch, base, baseTip, tip } = subject;
  refuseMoved(subject, request.seen);
  const listed = await (await ports.worktrees()).list();
  const steps = await branches.stepsOf(baseTip, tip);
  const warnings = await leftBehind(
    ports,
    listed.find((worktree) => worktree.branch === branch),
  );
  const answer = {
    branchName: branch,
    baseBranch: base,
    branchTip: tip,
    baseTip,
    steps: [...new Set(steps.map(({ step }) => step))],
    warnings,
  };
  const preview = await branches.preview(baseTip, tip);
  const isBehind = (await branches.mergeBase(baseTip, tip)) === tip;
  if (preview.kind === "nothing" && (isBehind || request.squash)) return nothingToDo(answer);
  if (preview.kind === "conflicts") throw conflicts(subject, preview.files);
  const files = preview.kind === "clean" ? preview.files : [];
  const checkout = listed.find((worktree) => worktree.branch === base && !worktree.isBare);
  const tree = preview.kind === "clean" ? preview.tree : `${baseTip}^{tree}`;
  const equal = checkout === undefined ? [] : await refuseInTheWay(ports, checkout, base, { files, tree });
  const how = request.squash ? "squash" : request.ffOnly ? "fast-forward" : "merge";
  const checkoutPath = checkout?.path ?? null;
  if (request.dryRun)
    return {
      ...answer,
      merged: false,
      alreadyMerged: false,
      how,
      commitHash: null,
      files,
      checkout: checkoutPath,
    };
  const commit = await commitFor(branches, subject, tree, how, titleOf(subject, steps));
  const isMoved =
    checkout === undefined
      ? await branches.advance(base, baseTip, commit)
      : await bringForward(ports, checkout, { base, commit, equal });
  if (!isMoved) return undefined;
  await record(ports, subject, commit, how);
  return {
    ...answer,
    merged: true,
    alreadyMerged: false,
    how,
    commitHash: commit,
    files,
    checkout: checkoutPath,
  };
}

function refuseMoved({ branch, base, tip, baseTip }: Subject, seen: SeenTips | undefined): void {
  if (seen === undefined || (seen.branchTip === tip && seen.baseTip === baseTip)) return;
  throw new Failure("action/stale", `${branch} or ${base} has moved since this was decided.`, {
    branch_name: branch,
    base_branch: base,
  });
}

const nothingToDo = (
  answer: Pick<MergeAnswer, "branchName" | "baseBranch" | "branchTip" | "baseTip" | "steps" | "warnings">,
): MergeAnswer => ({
  ...answer,
  merged: false,
  alreadyMerged: true,
  how: null,
  commitHash: null,
  files: [],
  checkout: null,
});

interface Subject {
  readonly branch: string;
  readonly tip: string;
  readonly base: string;
  readonly baseTip: string;
  readonly plan: string | undefined;
}

async function subjectOf(ports: Ports, branches: Branches, { target, into }: MergeRequest): Promise<Subject> {
  const known = await branches.planBranches();
  const branch = await branchOf(ports, branches, target, known);
  const mark = known.find(({ name }) => name === branch)?.mark;
  const base = into ?? mark?.base ?? ports.settings.base_branch ?? (await branches.current());
  if (base === undefined) {
    throw new Failure(
      "worktree/no-base",
      `Nobody noted what ${branch} is to be merged into.`,
      { branch_name: branch },
      { hint: "Name the branch with --into." },
    );
  }
  const [ref, baseRef] = [`refs/heads/${branch}`, `refs/heads/${base}`];
  const commits = await branches.commits([ref, baseRef]);
  const [tip, baseTip] = [commits.get(ref), commits.get(baseRef)];
  if (base === branch || baseTip === undefined || tip === undefined) {
    const why = base === branch ? "it is the branch itself" : `there is no branch ${base} with a commit here`;
    throw new Failure(
      "worktree/no-base",
      `${branch} cannot be merged into ${base}: ${why}.`,
      { branch_name: branch, base_branch: base },
      { hint: "Name a branch of this repository with --into." },
    );
  }
  return { branch, tip, base, baseTip, plan: mark?.plan };
}

type Known = Awaited<ReturnType<Branches["planBranches"]>>;

/** A branch by its full name, else the branch of a plan. */
async function branchOf(ports: Ports, branches: Branches, target: string, known: Known): Promise<string> {
  const ref = `refs/heads/${target}`;
  if (!target.startsWith("-") && (await branches.commits([ref])).has(ref)) return target;
  const { key } = ports.plans.locate(target);
  const own = known.filter(({ mark }) => mark?.plan === key);
  const byName = `${BRANCH_PREFIX}${planSlug(key)}`;
  const found =
    own.find(({ name }) => name === byName) ??
    own[0] ??
    known.find(({ name, mark }) => name === byName && !mark);
  if (found !== undefined) return found.name;
  throw new Failure(
    "worktree/not-found",
    `${target} is no branch, and no plan that has one.`,
    { target },
    { hint: "Run `pawl worktree list` to see the branches of plans." },
  );
}

const conflicts = ({ branch, base }: Subject, files: readonly string[]): Failure =>
  new Failure(
    "merge/conflicts",
    `${branch} and ${base} changed the same lines of ${files.join(", ") || "some files"}.`,
    { branch_name: branch, base_branch: base, files },
  );

/** What is uncommitted stays out of the merge; whoever expects it in there should hear of it. */
async function leftBehind(ports: Ports, worktree: ListedWorktree | undefined): Promise<readonly string[]> {
  if (worktree === undefined || worktree.isMissing || worktree.isMain) return [];
  const warnings: string[] = [];
  const { files } = await (await ports.worktrees()).changes(ports.repository.worktree(worktree.path));
  if (files.length > 0) {
    const what = files.length === 1 ? "1 uncommitted file" : `${files.length} uncommitted files`;
    warnings.push(`${what} of ${worktree.path} ${files.length === 1 ? "is" : "are"} not part of the merge`);
  }
  const use = await worktreeUse(ports).catch(() => undefined);
  for (const { anchor } of use?.(worktree).held ?? [])
    warnings.push(`${anchor} is still being worked on there`);
  return warnings;
}

interface Forward {
  readonly base: string;
  readonly commit: string;
  /** Files that are there already as the commit has them. */
  readonly equal: readonly string[];
}

/** Git moves whatever branch is checked out by then, so the base itself is asked afterwards. */
async function bringForward(
  ports: Ports,
  checkout: ListedWorktree,
  { base, commit, equal }: Forward,
): Promise<boolean> {
  const [worktrees, branches] = await Promise.all([ports.worktrees(), ports.branches()]);
  const worktree = ports.repository.worktree(checkout.path);
  await worktrees.stageMerged(worktree, equal);
  if (!(await worktrees.fastForward(worktree, commit))) return false;
  const ref = `refs/heads/${base}`;
  const tip = (await branches.commits([ref])).get(ref);
  if (tip !== undefined && (tip === commit || (await branches.mergeBase(tip, commit)) === commit))
    return true;
  throw new Failure(
    "merge/in-the-way",
    `${base} is not at the merged commit ${commit}: ${checkout.path} had something else checked out by then, and that was brought forward instead.`,
    { worktree_path: checkout.path, base_branch: base, commit_hash: commit, files: [] },
    { hint: "Look at `git reflog` there, take the move back where it is not wanted, and try again." },
  );
}

/**
 * Refuses over files that the merge would write and the user has changed, and over an operation that is not finished.
 * Answers the changed files that are already what the merge would make of them.
 */
async function refuseInTheWay(
  ports: Ports,
  checkout: ListedWorktree,
  base: string,
  { files: merged, tree }: { readonly files: readonly string[]; readonly tree: string },
): Promise<readonly string[]> {
  const details = { worktree_path: checkout.path, base_branch: base };
  if (checkout.operation !== undefined) {
    throw new Failure(
      "merge/in-the-way",
      `A ${checkout.operation} is going on in ${checkout.path}, where ${base} is checked out.`,
      { ...details, operation: checkout.operation, files: [] },
      { hint: `Finish the ${checkout.operation} there, then try again.` },
    );
  }
  const worktrees = await ports.worktrees();
  const worktree = ports.repository.worktree(checkout.path);
  const { files } = await worktrees.changes(worktree);
  const affected = new Set(merged.flatMap(withFolders));
  const touched = files.filter(
    (file) => affected.has(file) || withFolders(file).some((part) => merged.includes(part)),
  );
  if (touched.length === 0) return [];
  const written = new Set(merged);
  const same = touched.filter((file) => written.has(file));
  const equal = new Set(await worktrees.alreadyMerged(worktree, tree, same));
  const inTheWay = touched.filter((file) => !equal.has(file));
  if (inTheWay.length === 0) return [...equal];
  throw new Failure(
    "merge/in-the-way",
    `The merge would write over uncommitted changes in ${checkout.path}: ${inTheWay.join(", ")}.`,
    { ...details, files: inTheWay },
  );
}

/** A file may stand where the other side needs a folder. */
const withFolders = (file: string): readonly string[] => {
  const parts = file.split("/");
  return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
};

async function commitFor(
  branches: Branches,
  { branch, tip, base, baseTip }: Subject,
  tree: string,
  how: "merge" | "squash" | "fast-forward",
  title: string,
): Promise<string> {
  if (how === "fast-forward") {
    if ((await branches.mergeBase(baseTip, tip)) === baseTip) return tip;
    throw new Failure("merge/not-fast-forward", `${base} has commits that ${branch} does not have.`, {
      branch_name: branch,
      base_branch: base,
    });
  }
  return branches.commitMerge({
    base: baseTip,
    branch: tip,
    branchName: branch,
    tree,
    squash: how === "squash",
    title,
  });
}

const titleOf = ({ branch, plan }: Subject, steps: readonly StepOnBranch[]): string => {
  const count = new Set(steps.map(({ step }) => step)).size;
  const what = plan === undefined ? `branch ${branch}` : `plan ${plan}`;
  return count === 0 ? `Merge ${what}` : `Merge ${what}: ${count} step${count === 1 ? "" : "s"}`;
};

async function record(
  ports: Ports,
  { branch, base, plan }: Subject,
  commit: string,
  how: string,
): Promise<void> {
  const database = await openIfThere(ports).catch(() => undefined);
  await database?.write((sql) =>
    journal(sql, {
      event: "worktree-merged",
      ...(plan === undefined ? {} : { plan }),
      detail: { branch, base, commit, how },
    }),
  );
}
