import { BRANCH_PREFIX, Failure, orNothing, planSlug, plural } from "../../domain/index.ts";
import type { Branches, ListedWorktree, Ports, StepOnBranch } from "../../platform/ports/index.ts";
import { baseCommit } from "../../platform/index.ts";
import { joinSquash, moveBranch, rememberSquash, whileHas } from "../../commits/index.ts";
import { bringForward, finishForwards, refuseUncommitted, soleCheckout } from "./merge-checkout.ts";
import { finishMerge, type MergeNote, noteMerged, noteMerging } from "./merge-journal.ts";
import { worktreeUse } from "../worktree-use.ts";

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
 * step: by compare-and-swap, or with the files of its checkout. What is about to happen is written down first, and
 * what a killed call left is finished before anything else.
 */
export async function mergeWorktree(ports: Ports, request: MergeRequest): Promise<MergeAnswer> {
  if (request.squash && request.ffOnly) {
    throw new Failure("usage/wrong", "--squash and --ff-only exclude each other.", {});
  }
  const locks = await ports.locks();
  return locks.during("merge", async () => {
    await finishForwards(ports);
    const finished = await finishMerge(ports);
    for (let round = 0; round < ROUNDS; round += 1) {
      const answer = await attempt(ports, request, finished);
      if (answer !== undefined) return answer;
    }
    throw new Failure("worktree/busy", "The base branch kept moving while it was being merged into.", {});
  });
}

/** Undefined when the base moved meanwhile. */
async function attempt(
  ports: Ports,
  request: MergeRequest,
  finished: MergeNote | undefined,
): Promise<MergeAnswer | undefined> {
  const branches = await ports.branches();
  const subject = await subjectOf(ports, branches, request);
  const { branch, base, baseTip, tip } = subject;
  refuseMoved(subject, request.seen);
  const listed = await (await ports.worktrees()).list();
  const steps = await branches.stepsOf(baseTip, tip);
  const warnings = await leftBehind(ports, listed, subject);
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
  if (preview.kind === "nothing" && (isBehind || request.squash))
    return finished?.branch === branch && finished.base === base
      ? answerAgain(ports, answer, finished, tip)
      : nothingToDo(answer);
  if (preview.kind === "conflicts") throw conflicts(subject, preview.files);
  const files = preview.kind === "clean" ? preview.files : [];
  const checkout = soleCheckout(listed, base);
  const tree = preview.kind === "clean" ? preview.tree : `${baseTip}^{tree}`;
  if (checkout !== undefined) await refuseUncommitted(ports, checkout, { base, from: baseTip, to: tree });
  const how = request.squash ? "squash" : request.ffOnly ? "fast-forward" : "merge";
  const planned = { ...answer, alreadyMerged: false, how, files, checkout: checkout?.path ?? null } as const;
  if (request.dryRun) return { ...planned, merged: false, commitHash: null };
  const commit = await commitFor(branches, subject, tree, how, titleOf(subject, steps));
  if (request.squash) await rememberSquash(ports, steps, { tip, commit });
  const note = { branch, base, from: baseTip, commit, how, plan: subject.plan ?? null } as const;
  await noteMerging(ports, note);
  const moveBase = () =>
    checkout === undefined
      ? moveBranch(ports, { branch: base, from: baseTip, to: commit })
      : bringForward(ports, checkout, { base, commit });
  const isMoved = await whileHas(ports, { branch, commit: tip }, moveBase);
  if (!isMoved) return undefined;
  await noteMerged(ports, note);
  const { plan } = subject;
  const joined =
    request.squash && plan !== undefined ? await joinSquash(ports, { plan, branch, tip, base, commit }) : [];
  return { ...planned, warnings: [...warnings, ...joined], merged: true, commitHash: commit };
}

type Start = Pick<MergeAnswer, "branchName" | "baseBranch" | "branchTip" | "baseTip" | "steps" | "warnings">;

/** A call that was killed after the base had moved is answered as it would have been. */
async function answerAgain(
  ports: Ports,
  answer: Start,
  { from, commit, how, base }: MergeNote,
  tip: string,
): Promise<MergeAnswer> {
  const [branches, worktrees] = await Promise.all([ports.branches(), ports.worktrees()]);
  const [steps, preview] = [await branches.stepsOf(from, tip), await branches.preview(from, tip)];
  return {
    ...answer,
    steps: [...new Set(steps.map(({ step }) => step))],
    merged: true,
    alreadyMerged: false,
    how,
    commitHash: commit,
    files: preview.kind === "clean" ? preview.files : [],
    checkout: soleCheckout(await worktrees.list(), base)?.path ?? null,
  };
}

function refuseMoved({ branch, base, tip, baseTip }: Subject, seen: SeenTips | undefined): void {
  if (seen === undefined || (seen.branchTip === tip && seen.baseTip === baseTip)) return;
  throw new Failure("action/stale", `${branch} or ${base} has moved since this was decided.`, {
    branch_name: branch,
    base_branch: base,
  });
}

const nothingToDo = (answer: Start): MergeAnswer => ({
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
    const other = await baseCommit(branches, base);
    const why =
      base === branch
        ? "it is the branch itself"
        : other === undefined
          ? `there is no branch ${base} with a commit here`
          : `it is no branch but the commit ${other.slice(0, 12)}, which cannot move`;
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

/** What is not part of the merge; whoever expects it in there should hear of it. */
async function leftBehind(
  ports: Ports,
  listed: readonly ListedWorktree[],
  { branch, tip, base, plan }: Subject,
): Promise<readonly string[]> {
  const warnings: string[] = [];
  const worktree = listed.find((one) => one.branch === branch);
  if (worktree !== undefined && !worktree.isMissing && !worktree.isMain) {
    const { files } = await (await ports.worktrees()).changes(ports.repository.worktree(worktree.path));
    if (files.length > 0) {
      const what = plural(files.length, "uncommitted file");
      warnings.push(`${what} of ${worktree.path} ${files.length === 1 ? "is" : "are"} not part of the merge`);
    }
    const use = await worktreeUse(ports).catch(orNothing);
    for (const { anchor } of use?.(worktree).held ?? [])
      warnings.push(`${anchor} is still being worked on there`);
  }
  return [...warnings, ...(plan === undefined ? [] : await siblings(ports, plan, { branch, tip, base }))];
}

/** Other branches of the same plan, such as those of further workers, with commits that this one does not have. */
async function siblings(
  ports: Ports,
  plan: string,
  { branch, tip, base }: Pick<Subject, "branch" | "tip" | "base">,
): Promise<readonly string[]> {
  const branches = await ports.branches();
  const warnings: string[] = [];
  for (const other of await branches.planBranches()) {
    if (other.mark?.plan !== plan || other.name === branch || other.name === base) continue;
    const { ahead } = await branches.divergence(tip, other.commit);
    if (ahead > 0) warnings.push(`${other.name} has ${plural(ahead, "commit")} that ${branch} does not have`);
  }
  return warnings;
}

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
  return count === 0 ? `Merge ${what}` : `Merge ${what}: ${plural(count, "step")}`;
};
