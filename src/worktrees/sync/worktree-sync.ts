import { Failure } from "../../domain/index.ts";
import { baseCommit } from "../../platform/index.ts";
import type { Branches, BranchMark, Ports } from "../../platform/ports/index.ts";
import {
  finishHalf,
  followRemote,
  moveShared,
  type RemoteTip,
  remoteTip,
  whileSettled,
} from "../../commits/index.ts";
import { refuseUncommitted, soleCheckout } from "../merge/merge-checkout.ts";
import { branchOf, solvingHint } from "../merge/merge-subject.ts";
import type { MergeCandidate, MergeVerification, MergeVerifier } from "../merge/merge-verifier.ts";
import { finishSync, noteSynced, noteSyncing } from "./sync-journal.ts";

export interface SyncRequest {
  /** A plan, or its branch. */
  readonly target: string;
  /** Says what would happen, and does nothing. */
  readonly dryRun?: boolean | undefined;
  /** How many trees are verified while the branch keeps moving, before it is given up. */
  readonly mostVerified?: number | undefined;
}

export interface SyncAnswer {
  readonly planPath: string | null;
  readonly branchName: string;
  readonly baseBranch: string;
  /** Where the two were before. */
  readonly branchTip: string;
  readonly baseTip: string;
  readonly synced: boolean;
  /** The plan's branch has all of the base; nothing was done. */
  readonly upToDate: boolean;
  readonly how: "merge" | "fast-forward" | null;
  readonly commitHash: string | null;
  /** How many commits of the base the plan's branch did not have. */
  readonly commits: number;
  readonly files: readonly string[];
  /** The checkout of the plan's branch that was brought along; null when it is checked out nowhere. */
  readonly checkout: string | null;
  /** Whether the check has passed on exactly the tree that the plan's branch got. */
  readonly verified: boolean;
  /** Null where there was nothing to do. */
  readonly verification: MergeVerification | null;
}

const ROUNDS = 5;
const MOST_VERIFIED = 10;

/**
 * Brings the base into a plan's branch, so that what fails between the two shows when it first exists.
 *
 * The merge is made in memory and verified while steps may land. The branch moves by compare-and-swap, or with the files
 * of its checkout, so a crash leaves it before or behind. When it is elsewhere after the check, all of it is repeated.
 */
export async function syncWorktree(
  ports: Ports,
  request: SyncRequest,
  verifier: MergeVerifier,
): Promise<SyncAnswer> {
  const branches = await ports.branches();
  const named = await namesOf(ports, branches, request);
  const approved = new Map<string, MergeVerification>();
  const { mostVerified = MOST_VERIFIED } = request;
  for (let round = 0; round < ROUNDS && approved.size <= mostVerified;) {
    // Where machines share a remote, the branch moves there first.
    const there = request.dryRun ? undefined : await remoteTip(ports, named.branch);
    const end = await whileSettled(ports, named.branch, () =>
      attempt(ports, named, { request, approved, verifier, there }),
    );
    if (end.kind === "answered") return end.answer;
    if (end.kind === "moved") round += 1;
    else if (approved.size === mostVerified) break;
    else approved.set(end.candidate.tree, await verifier.verify(end.candidate));
  }
  throw new Failure("worktree/busy", `${named.branch} kept moving while ${named.base} was brought into it.`, {
    branch_name: named.branch,
    base_branch: named.base,
  });
}

interface Names {
  readonly branch: string;
  readonly base: string;
  readonly mark: BranchMark | undefined;
}

async function namesOf(ports: Ports, branches: Branches, { target }: SyncRequest): Promise<Names> {
  const known = await branches.planBranches();
  const branch = await branchOf(ports, branches, target, known);
  const mark = known.find(({ name }) => name === branch)?.mark;
  const base = mark?.base ?? ports.settings.base_branch ?? (await branches.current());
  if (base !== undefined && base !== branch) return { branch, base, mark };
  throw new Failure(
    "worktree/no-base",
    `${branch} has no base that could be brought into it.`,
    { branch_name: branch },
    { hint: "Name the base as base_branch in pawl.toml." },
  );
}

type Attempt =
  | { readonly kind: "answered"; readonly answer: SyncAnswer }
  | { readonly kind: "to-verify"; readonly candidate: MergeCandidate }
  | { readonly kind: "moved" };

interface SoFar {
  readonly request: SyncRequest;
  /** By tree, what was verified in this call. */
  readonly approved: ReadonlyMap<string, MergeVerification>;
  readonly verifier: MergeVerifier;
  readonly there: RemoteTip | undefined;
}

async function attempt(ports: Ports, named: Names, soFar: SoFar): Promise<Attempt> {
  const branches = await ports.branches();
  const { branch, base, mark } = named;
  const plan = mark?.plan ?? null;
  const isForReal = soFar.request.dryRun !== true;
  if (isForReal) {
    await finishHalf(ports, branch);
    if (soFar.there && mark) await followRemote(ports, { plan: mark.plan, branch }, soFar.there);
    await finishSync(ports, { branch, plan });
  }
  const { tip, baseTip } = await tipsOf(branches, named);
  const common = await branches.mergeBase(tip, baseTip);
  const answer = {
    ...NOTHING,
    planPath: plan,
    branchName: branch,
    baseBranch: base,
    branchTip: tip,
    baseTip,
  };
  if (common === baseTip) return { kind: "answered", answer };
  const how = common === tip ? "fast-forward" : "merge";
  const preview = await branches.preview(tip, baseTip);
  if (preview.kind === "conflicts") throw conflicts(named, preview.files);
  const merged = preview.kind === "clean" ? preview.tree : await branches.treeOf(tip);
  const tree = how === "fast-forward" ? await branches.treeOf(baseTip) : merged;
  const checkout = soleCheckout(await (await ports.worktrees()).list(), branch);
  if (checkout !== undefined) await refuseUncommitted(ports, checkout, { base: branch, from: tip, to: tree });
  const candidate = { tree, branch, base, from: tip, plan: mark?.plan };
  const verification =
    how === "fast-forward" ? nothingOfItsOwn(named, tree) : await verificationOf(candidate, soFar);
  const planned = {
    ...answer,
    upToDate: false,
    how,
    commits: (await branches.divergence(tip, baseTip)).ahead,
    files: preview.kind === "clean" ? preview.files : [],
    checkout: checkout?.path ?? null,
    ...told(verification),
  } as const;
  if (!isForReal) return { kind: "answered", answer: planned };
  if (verification.outcome === "pending") return { kind: "to-verify", candidate };
  return moveIt(ports, named, { planned, candidate, verification, soFar });
}

interface Planned {
  readonly planned: SyncAnswer;
  readonly candidate: MergeCandidate;
  readonly verification: MergeVerification;
  readonly soFar: SoFar;
}

/** Makes the commit, and moves the plan's branch to it. */
async function moveIt(
  ports: Ports,
  { branch, base, mark }: Names,
  { planned, candidate, verification, soFar }: Planned,
): Promise<Attempt> {
  const branches = await ports.branches();
  const { branchTip: from, baseTip, how } = planned;
  const { tree } = candidate;
  const title = `Merge ${base} into ${branch}`;
  const to =
    how === "fast-forward"
      ? baseTip
      : await branches.commitMerge({
          base: from,
          branch: baseTip,
          branchName: base,
          tree,
          squash: false,
          title,
        });
  // A hook may have made another tree of it.
  const madeTree = await branches.treeOf(to);
  const made =
    madeTree === tree ? verification : await verificationOf({ ...candidate, tree: madeTree }, soFar);
  if (made.outcome === "pending") return { kind: "to-verify", candidate: { ...candidate, tree: made.tree } };
  const note = {
    branch,
    base,
    from,
    commit: to,
    how: how!,
    plan: mark?.plan ?? null,
    verification: made.outcome,
    because: made.because,
    tree: made.tree,
  };
  await noteSyncing(ports, note);
  if (!(await moveShared(ports, { branch, from, to }, soFar.there))) return { kind: "moved" };
  // It starts here now: as before, it would pass for merged.
  if (how === "fast-forward" && mark !== undefined)
    await (await ports.locks()).during("worktrees", () => branches.mark(branch, { ...mark, start: to }));
  await noteSynced(ports, note);
  return { kind: "answered", answer: { ...planned, synced: true, commitHash: to, ...told(made) } };
}

const NOTHING = {
  synced: false,
  upToDate: true,
  how: null,
  commitHash: null,
  commits: 0,
  files: [],
  checkout: null,
  verified: false,
  verification: null,
} as const;

const told = (verification: MergeVerification) => ({
  verified: verification.outcome === "passed",
  verification,
});

const verificationOf = async (
  candidate: MergeCandidate,
  { approved, verifier }: SoFar,
): Promise<MergeVerification> => approved.get(candidate.tree) ?? verifier.look(candidate);

/** The branch has no work yet that could fail with what the base has. */
const nothingOfItsOwn = ({ branch, base }: Names, tree: string): MergeVerification => ({
  outcome: "not_verified",
  because: `${branch} has no commit of its own, so it is ${base} itself`,
  check: null,
  tree,
  known: false,
});

async function tipsOf(
  branches: Branches,
  { branch, base }: Names,
): Promise<{ readonly tip: string; readonly baseTip: string }> {
  const ref = `refs/heads/${branch}`;
  const tip = (await branches.commits([ref])).get(ref);
  const baseTip = await baseCommit(branches, base);
  if (tip !== undefined && baseTip !== undefined) return { tip, baseTip };
  throw new Failure(
    "worktree/no-base",
    `${base} cannot be brought into ${branch}: there is no ${tip === undefined ? branch : base} with a commit here.`,
    { branch_name: branch, base_branch: base },
    { hint: "Run `pawl worktree list` to see the branches of plans." },
  );
}

const conflicts = ({ branch, base, mark }: Names, files: readonly string[]): Failure =>
  new Failure(
    "sync/conflicts",
    `${base} and ${branch} changed the same lines of ${files.join(", ") || "some files"}.`,
    { branch_name: branch, base_branch: base, files },
    solvingHint(mark?.plan, base, { after: "Steps then build on both." }),
  );
