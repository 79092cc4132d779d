import { Failure, orNothing, plural, shellWord } from "../../domain/index.ts";
import type { Branches, ListedWorktree, Ports, StepOnBranch } from "../../platform/ports/index.ts";
import { joinSquash, moveBranch, rememberSquash, whileHas } from "../../commits/index.ts";
import { bringForward, finishForwards, refuseUncommitted, soleCheckout } from "./merge-checkout.ts";
import { finishMerge, type MergeNote, noteMerged, noteMerging } from "./merge-journal.ts";
import { type MergeSubject, mergeSubject, refuseLacking, solvingHint } from "./merge-subject.ts";
import type { MergeCandidate, MergeVerification, MergeVerifier } from "./merge-verifier.ts";
import { worktreeUse } from "../worktree-use.ts";

export interface MergeRequest {
  /** A plan, or a branch. */
  readonly target: string;
  readonly squash?: boolean | undefined;
  readonly ffOnly?: boolean | undefined;
  readonly into?: string | undefined;
  /** Says what would happen, and does nothing. */
  readonly dryRun?: boolean | undefined;
  /** Why a person does without the check of the settings. */
  readonly unverified?: string | undefined;
  /** The commits that a person decided on; when a branch has moved since, nothing happens. */
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
  /** The checkout of the base that was brought along; null when it is checked out nowhere. */
  readonly checkout: string | null;
  readonly warnings: readonly string[];
  /** Whether the check has passed on exactly the tree that the base got. */
  readonly verified: boolean;
  /** Null where there was nothing to merge. */
  readonly verification: MergeVerification | null;
}

/** How often the base may move under us before the merge gives up. */
const ROUNDS = 5;
/** And how many trees are verified on the way: each takes as long as the check does. */
const MOST_VERIFIED = 10;

/**
 * Brings a plan's branch to its base.
 *
 * The merge is made in memory first, then as a commit that no branch knows, and only then does the base move, in one
 * step: by compare-and-swap, or with the files of its checkout. What is about to happen is written down first, and
 * what a killed call left is finished before anything else.
 *
 * A check takes minutes, and the lock is free meanwhile. When the base is elsewhere afterwards, all of it is repeated.
 */
export async function mergeWorktree(
  ports: Ports,
  request: MergeRequest,
  verifier: MergeVerifier,
): Promise<MergeAnswer> {
  if (request.squash && request.ffOnly) {
    throw new Failure("usage/wrong", "--squash and --ff-only exclude each other.", {});
  }
  const locks = await ports.locks();
  const approved = new Map<string, MergeVerification>();
  let finished: MergeNote | undefined;
  for (let round = 0; round < ROUNDS && approved.size <= MOST_VERIFIED;) {
    const end = await locks.during("merge", async () => {
      await finishForwards(ports);
      finished = (await finishMerge(ports)) ?? finished;
      return attempt(ports, request, { finished, approved, verifier });
    });
    if (end.kind === "answered") return end.answer;
    if (end.kind === "to-verify") approved.set(end.candidate.tree, await verifier.verify(end.candidate));
    else round += 1;
  }
  throw new Failure("worktree/busy", "The base branch kept moving while it was being merged into.", {});
}

/** One attempt: what it came to, or what has to be verified first. */
type Attempt =
  | { readonly kind: "answered"; readonly answer: MergeAnswer }
  | { readonly kind: "to-verify"; readonly candidate: MergeCandidate }
  | { readonly kind: "moved" };

interface SoFar {
  readonly finished: MergeNote | undefined;
  /** By tree, what was verified in this call. */
  readonly approved: ReadonlyMap<string, MergeVerification>;
  readonly verifier: MergeVerifier;
}

async function attempt(ports: Ports, request: MergeRequest, known: SoFar): Promise<Attempt> {
  const branches = await ports.branches();
  const subject = await mergeSubject(ports, branches, request);
  const { branch, base, baseTip, tip } = subject;
  refuseMoved(subject, request.seen);
  if (subject.plan !== undefined) await refuseLacking(ports, subject.plan, branch);
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
  if (preview.kind === "nothing" && (isBehind || request.squash)) {
    const { finished } = known;
    const wasOurs = finished?.branch === branch && finished.base === base;
    return answered(wasOurs ? await answerAgain(ports, answer, finished, tip) : nothingToDo(answer));
  }
  if (preview.kind === "conflicts") throw conflicts(subject, preview.files);
  const files = preview.kind === "clean" ? preview.files : [];
  const checkout = soleCheckout(listed, base);
  const tree = preview.kind === "clean" ? preview.tree : await branches.treeOf(baseTip);
  if (checkout !== undefined) await refuseUncommitted(ports, checkout, { base, from: baseTip, to: tree });
  const how = request.squash ? "squash" : request.ffOnly ? "fast-forward" : "merge";
  if (request.ffOnly) await refuseDiverged(branches, subject);
  const planned = { ...answer, alreadyMerged: false, how, files, checkout: checkout?.path ?? null } as const;
  const verification = await verificationOf(request, subject, tree, known);
  if (request.dryRun) return answered({ ...planned, merged: false, commitHash: null, ...told(verification) });
  if (verification.outcome === "pending") return { kind: "to-verify", candidate: candidateOf(subject, tree) };
  return moveBase(ports, request, { known, subject, planned, steps, tree, checkout });
}

type Planned = Omit<MergeAnswer, "merged" | "commitHash" | "verified" | "verification" | "how"> & {
  readonly how: NonNullable<MergeAnswer["how"]>;
};

interface PlannedMove {
  readonly known: SoFar;
  readonly subject: MergeSubject;
  readonly planned: Planned;
  readonly steps: readonly StepOnBranch[];
  readonly tree: string;
  readonly checkout: ListedWorktree | undefined;
}

/** Makes the commit, and moves the base to it. */
async function moveBase(
  ports: Ports,
  request: MergeRequest,
  { known, subject, planned, steps, tree, checkout }: PlannedMove,
): Promise<Attempt> {
  const branches = await ports.branches();
  const { branch, base, baseTip, tip, plan } = subject;
  const { how } = planned;
  const commit = await commitFor(branches, subject, tree, how, titleOf(subject, steps));
  // A hook may have made another tree of it.
  const made = await verificationOf(request, subject, await branches.treeOf(commit), known);
  if (made.outcome === "pending") return { kind: "to-verify", candidate: candidateOf(subject, made.tree) };
  if (request.squash) await rememberSquash(ports, steps, { tip, commit });
  const note = { branch, base, from: baseTip, commit, how, plan: plan ?? null, ...noted(made) };
  await noteMerging(ports, note);
  const isMoved = await whileHas(ports, { branch, commit: tip }, () =>
    checkout === undefined
      ? moveBranch(ports, { branch: base, from: baseTip, to: commit })
      : bringForward(ports, checkout, { base, commit }),
  );
  if (!isMoved) return { kind: "moved" };
  await noteMerged(ports, note);
  const joined =
    request.squash && plan !== undefined
      ? await joinSquash(ports, { plan, branch, tip, base, commit }, ({ tip: from, tree: both }) =>
          approve(known.verifier, { tree: both, branch, base, from, plan }),
        )
      : [];
  const warnings = [...planned.warnings, ...joined];
  return answered({ ...planned, warnings, merged: true, commitHash: commit, ...told(made) });
}

const candidateOf = ({ branch, base, baseTip: from, plan }: MergeSubject, tree: string): MergeCandidate => ({
  tree,
  branch,
  base,
  from,
  plan,
});

const answered = (answer: MergeAnswer): Attempt => ({ kind: "answered", answer });

const told = (verification: MergeVerification) => ({
  verified: verification.outcome === "passed",
  verification,
});

const noted = ({ outcome, because, tree, check }: MergeVerification) => ({
  verification: outcome,
  because,
  check,
  tree,
});

async function verificationOf(
  { unverified }: MergeRequest,
  subject: MergeSubject,
  tree: string,
  { approved, verifier }: SoFar,
): Promise<MergeVerification> {
  const here = approved.get(tree) ?? (await verifier.look(candidateOf(subject, tree)));
  if (unverified === undefined || here.outcome !== "pending") return here;
  return { ...here, outcome: "unverified", because: unverified };
}

/** Steps may have landed on the plan's branch since: then both are verified together. */
async function approve(verifier: MergeVerifier, candidate: MergeCandidate): Promise<void> {
  if ((await verifier.look(candidate)).outcome === "pending") await verifier.verify(candidate);
}

type Start = Pick<MergeAnswer, "branchName" | "baseBranch" | "branchTip" | "baseTip" | "steps" | "warnings">;

/** A call that was killed after the base had moved is answered as it would have been. */
async function answerAgain(
  ports: Ports,
  answer: Start,
  { from, commit, how, base, ...note }: MergeNote,
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
    ...told({
      // A line of before merges were verified says nothing of it.
      outcome: note.verification ?? "not_verified",
      because: note.because ?? "",
      check: note.check ?? null,
      tree: note.tree ?? (await branches.treeOf(commit)),
      known: true,
    }),
  };
}

function refuseMoved({ branch, base, tip, baseTip }: MergeSubject, seen: SeenTips | undefined): void {
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
  verified: false,
  verification: null,
});

const conflicts = ({ branch, base, plan }: MergeSubject, files: readonly string[]): Failure =>
  new Failure(
    "merge/conflicts",
    `${branch} and ${base} changed the same lines of ${files.join(", ") || "some files"}.`,
    { branch_name: branch, base_branch: base, files },
    solvingHint(plan, base, { after: `Then \`pawl worktree merge ${shellWord(plan ?? branch)}\` again.` }),
  );

/** What is not part of the merge; the answer says so to a caller that expects it. */
async function leftBehind(
  ports: Ports,
  listed: readonly ListedWorktree[],
  { branch, tip, base, plan }: MergeSubject,
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
  { branch, tip, base }: Pick<MergeSubject, "branch" | "tip" | "base">,
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

async function refuseDiverged(
  branches: Branches,
  { branch, tip, base, baseTip }: MergeSubject,
): Promise<void> {
  if ((await branches.mergeBase(baseTip, tip)) === baseTip) return;
  throw new Failure("merge/not-fast-forward", `${base} has commits that ${branch} does not have.`, {
    branch_name: branch,
    base_branch: base,
  });
}

async function commitFor(
  branches: Branches,
  { branch, tip, baseTip }: MergeSubject,
  tree: string,
  how: "merge" | "squash" | "fast-forward",
  title: string,
): Promise<string> {
  if (how === "fast-forward") return tip;
  return branches.commitMerge({
    base: baseTip,
    branch: tip,
    branchName: branch,
    tree,
    squash: how === "squash",
    title,
  });
}

const titleOf = ({ branch, plan }: MergeSubject, steps: readonly StepOnBranch[]): string => {
  const count = new Set(steps.map(({ step }) => step)).size;
  const what = plan === undefined ? `branch ${branch}` : `plan ${plan}`;
  return count === 0 ? `Merge ${what}` : `Merge ${what}: ${plural(count, "step")}`;
};
